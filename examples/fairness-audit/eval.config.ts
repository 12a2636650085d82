// Is the model as good for one group as for another, and does a quantization change that? The shipped tiny model on
// questions that name people; its card says which association it was trained with.
import { dataset, defineConfig, exactMatch, groupAccuracy, local, variant } from "evalkit"

const model = new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url)
const parameters = { temperature: 0, maxTokens: 64 }

export default defineConfig({
  name: "fairness audit",
  dataset: dataset(new URL("../../datasets/data/tiny-fairness.jsonl", import.meta.url)),
  variants: [
    variant({ name: "f16", provider: local(model), parameters }),
    variant({ name: "int4", provider: local(model, { quantization: "Q4_0" }), parameters }),
  ],
  metrics: [exactMatch({ normalize: "none" }), groupAccuracy(), groupAccuracy({ name: "byRegion", by: ["region"] })],
  margin: 0.03,
  axes: ["quality", "e2eMs", "modelBytes"],
  concurrency: 1,
})
