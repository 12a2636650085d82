// May int4 replace int8? One GGUF model, quantized on this machine on first use, served by a process of its own each. The report
// has a part on quantization: flips, divergence, longer answers, and what a correct answer takes.
import { dataset, defineConfig, exactMatch, expectedCalibrationError, local, tokenF1, variant } from "evalkit"

const model = new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url)
const parameters = { temperature: 0, maxTokens: 64, topLogprobs: 10 } // log-probabilities: calibration and divergence

export default defineConfig({
  name: "int8 or int4",
  dataset: dataset(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url)),
  variants: [
    variant({ name: "int8", provider: local(model, { quantization: "Q8_0" }), parameters }),
    variant({ name: "int4", provider: local(model, { quantization: "Q4_0" }), parameters }),
  ],
  metrics: [exactMatch(), tokenF1(), expectedCalibrationError()],
  margin: 0.02, // a loss of two points still counts as "not worse"
  axes: ["quality", "e2eMs", "modelBytes"],
  concurrency: 1, // one request at a time: latency without a queue
})
