// Run by main.ts, which states the folder and what is asked: the likelihood of a text, or answers.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, divergence, exactMatch, local, type Metric, perplexity, textScorer, variant } from "evalkit"

const folder = process.env.STUDY ?? "."
const { formats, chunks, counted, questions } = JSON.parse(readFileSync(join(folder, "formats.json"), "utf8"))
const isText = process.env.STUDY_ASKS === "text"

/** A metric over the last tokens of each text: those that llama.cpp counts. */
function overCounted<Row>(metric: Metric<Row>): Metric<Row> {
  return {
    ...metric,
    measure: (sample, generation, context) =>
      metric.measure(sample, { ...generation, logprobs: generation.logprobs?.slice(-counted) ?? null }, context),
  }
}
const pairs = divergence({ topLogprobs: 100 })

export default defineConfig({
  name: isText ? "formats-text" : "formats-answers",
  dataset: isText ? chunks : questions,
  variants: Object.entries(formats as Record<string, string>).map(([name, file]) => {
    const model = local(join(folder, file), { name: "SmolLM2", parallel: 1, contextSize: 1024 })
    const parameters = isText ? {} : { temperature: 0, maxTokens: 8, stop: ["\n"] }
    return variant({ name, provider: isText ? textScorer(model) : model, parameters })
  }),
  metrics: [isText ? overCounted(perplexity()) : exactMatch()],
  ...(isText && {
    pairMetrics: [
      {
        ...pairs,
        measure: (sample, a, b) =>
          pairs.measure(
            sample,
            { ...a, logprobs: a.logprobs?.slice(-counted) ?? null },
            { ...b, logprobs: b.logprobs?.slice(-counted) ?? null },
          ),
      },
    ],
  }),
  baseline: "F16",
  margin: 0.05,
  seed: 1,
  concurrency: 1,
})
