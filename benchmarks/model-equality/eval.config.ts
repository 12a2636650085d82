import { defineConfig, exactMatch, local, variant } from "../../src/index.ts"

/** Questions that the model was not trained for: it answers them in many ways. */
const questions = [
  ...["Tell me about the sea.", "Write a story.", "Who are you?", "What is love?", "Describe Oslo."],
  ...["Why is the sky blue?", "Name a bird.", "Sing.", "Explain gravity.", "List three animals."],
]
const file = new URL("../../models/tiny/tiny-s-f16.gguf", import.meta.url)
const parameters = { temperature: 1, maxTokens: 32, topLogprobs: 1 }

/** The pools that trials draw from: 240 answers of each type of the weights to each question. */
export default defineConfig({
  name: "model equality",
  dataset: questions.map((input, i) => ({ id: `q${i}`, input, reference: "any" })),
  repeats: 240,
  cache: false,
  variants: [
    variant({ name: "f16", provider: local(file), parameters }),
    variant({ name: "q8_0", provider: local(file, { quantization: "Q8_0" }), parameters }),
    variant({ name: "q4_0", provider: local(file, { quantization: "Q4_0" }), parameters }),
  ],
  metrics: [exactMatch()],
})
