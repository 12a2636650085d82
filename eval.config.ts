import {
  chrf,
  contains,
  dataset,
  defineConfig,
  exactMatch,
  expectedCalibrationError,
  local,
  perplexity,
  tokenF1,
  variant,
} from "evalkit"

const model = (size: "m" | "s") => new URL(`./models/tiny/tiny-${size}-f16.gguf`, import.meta.url)
// What the machine is taken to cost; change it to yours.
const price = {
  kind: "hourly",
  usdPerHour: 0.1,
  instances: 1,
  utilisation: 0.5,
  source: "assumed: two shared cores of a cloud machine",
  date: "2026-11-21",
} as const
const parameters = { temperature: 0, maxTokens: 64, topLogprobs: 10 }

export default defineConfig({
  name: "tiny-tasks",
  dataset: dataset("datasets/data/tiny-tasks.jsonl"),
  variants: [
    variant({ name: "m-f16", provider: local(model("m")), parameters, price }),
    variant({ name: "m-q8_0", provider: local(model("m"), { quantization: "Q8_0" }), parameters, price }),
    variant({ name: "m-q4_0", provider: local(model("m"), { quantization: "Q4_0" }), parameters, price }),
    variant({ name: "m-q2_0", provider: local(model("m"), { quantization: "Q2_0" }), parameters, price }),
    variant({ name: "s-f16", provider: local(model("s")), parameters, price }),
    variant({ name: "s-q4_0", provider: local(model("s"), { quantization: "Q4_0" }), parameters, price }),
  ],
  metrics: [exactMatch(), tokenF1(), contains(), chrf(), expectedCalibrationError(), perplexity()],
  baseline: "m-f16",
  margin: 0.01,
  axes: ["quality", "costUsd", "modelBytes"],
  seed: 42,
  concurrency: 1,
})
