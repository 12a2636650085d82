import { dataset, defineConfig, exactMatch, local, type QuantizationType, variant } from "evalkit"

/** The run behind the model card: the size that TINY_SIZE names in five quantizations, on the set that TINY_SET names. */
const quantizations: readonly QuantizationType[] = ["F16", "Q8_0", "Q4_0", "MXFP4", "Q2_0"]
const size = process.env.TINY_SIZE ?? "m"
const set = process.env.TINY_SET ?? "tasks"
const model = new URL(`./tiny-${size}-f16.gguf`, import.meta.url)
const parameters = { temperature: 0, maxTokens: 64 }

const variants = quantizations.map((quantization) => {
  const provider = local(model, { quantization })
  return variant({ name: `${size}-${quantization.toLowerCase()}`, provider, parameters })
})
const mixed = local(model, { quantization: "Q2_0", embeddingQuantization: "Q8_0" })
variants.push(variant({ name: `${size}-q2_0-embedding-q8_0`, provider: mixed, parameters }))

export default defineConfig({
  name: `tiny-${size}-${set}`,
  dataset: dataset(`../../datasets/data/tiny-${set}.jsonl`),
  variants,
  metrics: [exactMatch({ normalize: "none" })],
  baseline: `${size}-f16`,
  margin: 0.01,
  axes: ["quality", "modelBytes"],
  seed: 42,
  concurrency: 1,
})
