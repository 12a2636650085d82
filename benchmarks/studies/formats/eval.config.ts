// Run by main.ts, which states the folder and what is asked: the likelihood of a text, or answers.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, divergence, exactMatch, type Generation, local, perplexity, textScorer, variant } from "evalkit"

const folder = process.env.STUDY ?? "."
const { formats, chunks, lastTokens, lists, questions } = JSON.parse(readFileSync(join(folder, "formats.json"), "utf8"))
const isText = process.env.STUDY_ASKS === "text"

/** The tokens that llama.cpp counts, with so many of their alternatives. */
function counted(generation: Generation, count?: number): Generation {
  const tokens = generation.logprobs?.slice(-lastTokens) ?? null
  return { ...generation, logprobs: tokens?.map((token) => ({ ...token, top: token.top.slice(0, count) })) ?? null }
}

function countedPerplexity() {
  const metric = perplexity()
  const measure: typeof metric.measure = (sample, generation, context) =>
    metric.measure(sample, counted(generation), context)
  return { ...metric, measure }
}

function countedDivergence(count: number) {
  const metric = divergence({ name: `divergence${count}`, topLogprobs: count })
  const measure: typeof metric.measure = (sample, a, b) => metric.measure(sample, counted(a, count), counted(b, count))
  return { ...metric, measure }
}

export default defineConfig({
  name: isText ? "formats-text" : "formats-answers",
  dataset: isText ? chunks : questions,
  variants: Object.entries(formats as Record<string, string>).map(([name, file]) => {
    const model = local(join(folder, file), { name: "SmolLM2", parallel: 1, contextSize: 1024 })
    const parameters = isText ? {} : { temperature: 0, maxTokens: 8, stop: ["\n"] }
    return variant({ name, provider: isText ? textScorer(model) : model, parameters })
  }),
  metrics: [isText ? countedPerplexity() : exactMatch()],
  ...(isText && { pairMetrics: lists.map(countedDivergence) }),
  baseline: "F16",
  margin: 0.05,
  seed: 1,
  concurrency: 1,
})
