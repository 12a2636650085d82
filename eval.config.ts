// The second and larger run of `npm start` (examples/tiny-agent is the first): two small language models that ship with evalkit, in several quantizations, on this machine.
import {
  answerPerplexity,
  bertScore,
  chrf,
  dataset,
  defineConfig,
  embeddingSimilarity,
  exactMatch,
  expectedCalibrationError,
  groupAccuracy,
  local,
  type Price,
  panel,
  rubric,
  rubrics,
  tokenF1,
  variant,
} from "evalkit"

const file = (size: "m" | "s") => new URL(`models/tiny/tiny-${size}-f16.gguf`, import.meta.url)
const providers = {
  "m-f16": local(file("m")),
  "m-q8_0": local(file("m"), { quantization: "Q8_0" }),
  "m-q4_0": local(file("m"), { quantization: "Q4_0" }),
  "m-q2_0": local(file("m"), { quantization: "Q2_0" }),
  "s-f16": local(file("s")),
  "s-q4_0": local(file("s"), { quantization: "Q4_0" }),
}

// What the machine is taken to cost; change it to yours.
const price: Price = {
  kind: "hourly",
  usdPerHour: 0.1,
  instances: 1,
  utilisation: 0.5,
  source: "assumed: two shared cores of a cloud machine",
  date: "2026-11-21",
}

// The models were trained to judge answers, too. Three quantizations as three judges: a demonstration, and its card says
// how far each may be trusted.
const judges = (["m-f16", "m-q8_0", "m-q4_0"] as const).map((name) =>
  rubric({ provider: providers[name], rubric: rubrics.tinyJudge(), judge: name }),
)

export default defineConfig({
  name: "tiny-tasks",
  // Each question once and none like another, so that 300 samples are 300 pieces of evidence: several applications share a
  // wording. examples/fairness-audit asks them, each with eight names.
  dataset: dataset("datasets/data/tiny-tasks.jsonl", {
    filter: ({ metadata }) => metadata.task !== "application",
    sample: { n: 300, by: "task", seed: 1 },
  }),
  variants: Object.entries(providers).map(([name, provider]) =>
    // The longest right answer has 26 tokens: what is longer does not end by itself.
    variant({ name, provider, price, parameters: { temperature: 0, maxTokens: 32, topLogprobs: 5 } }),
  ),
  metrics: [
    exactMatch({ normalize: "none" }), // formats count: "A" is not "a"
    tokenF1(),
    chrf(),
    expectedCalibrationError(),
    answerPerplexity(),
    embeddingSimilarity(),
    bertScore(),
    groupAccuracy(),
    panel(judges, { name: "judged correct", aggregate: "majority", truth: "exactMatch", share: 0.05 }),
  ],
  baseline: "m-f16",
  margin: 0.03, // a loss of three points still counts as "not worse"; a margin of two needs 500 samples
  axes: ["quality", "costUsd", "modelBytes"],
  seed: 42,
  concurrency: 1, // one request at a time: latency without a queue
})
