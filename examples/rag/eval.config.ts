// Does a quantized model still answer from the passages that it was given? Retrieval-augmented answers of the shipped tiny
// model: right or not, grounded or not, and which facts are in no passage. No judge and no key.
import { answerCorrectness, dataset, defineConfig, groundedness, local, ungroundedFacts, variant } from "evalkit"

const model = new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url)
const parameters = { temperature: 0, maxTokens: 64 }

export default defineConfig({
  name: "rag",
  dataset: dataset(new URL("../../datasets/data/tiny-passages.jsonl", import.meta.url)),
  variants: [
    variant({ name: "int8", provider: local(model, { quantization: "Q8_0" }), parameters }),
    variant({ name: "int2", provider: local(model, { quantization: "Q2_0" }), parameters }),
  ],
  metrics: [answerCorrectness(), groundedness(), ungroundedFacts()],
  margin: 0.03,
  axes: ["quality", "e2eMs", "modelBytes"],
  concurrency: 1,
})
