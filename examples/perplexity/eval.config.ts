import { dataset, defineConfig, divergence, local, perplexity, prompt, textScorer, variant } from "evalkit"

// What quantization changes inside a model: how unlikely each form finds given answers, and how far its token
// distributions are from F16's. Nothing is generated.
//   evalkit run examples/perplexity/eval.config.ts
const model = new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url)
const items = new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url)

// A prompt that ends with an assistant's turn: that answer is scored, after the question. A plain text would be scored as a
// whole: leave the prompt out, and read long ones through a window: textScorer(provider, { window: 512, stride: 256 }).
const answered = prompt([
  { role: "user", content: "{{input}}" },
  { role: "assistant", content: "{{reference}}" },
])

export default defineConfig({
  name: "perplexity",
  dataset: dataset(items.href, { sample: { n: 180, by: "task", seed: 1 } }),
  variants: (["F16", "Q8_0", "Q4_0", "Q2_0"] as const).map((quantization) =>
    variant({ name: quantization, provider: textScorer(local(model, { quantization })), prompt: answered }),
  ),
  metrics: [perplexity()],
  pairMetrics: [divergence({ topLogprobs: 20 })],
  baseline: "F16",
  margin: 0.01, // a perplexity that is 0.01 higher still counts as "not worse"
  // Drift: run it again next month, then `evalkit compare RUN1:F16 RUN2:F16`.
})
