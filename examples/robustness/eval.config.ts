import {
  attackSuccess,
  dataset,
  defineConfig,
  exactMatch,
  expectedCalibrationError,
  loadWordNet,
  local,
  perturb,
  perturbed,
  variant,
} from "evalkit"

// What small changes of the input do to a model, and whether its four-bit form is as robust:
//   evalkit run examples/robustness/eval.config.ts
const model = new URL("../../models/tiny/tiny-m-f16.gguf", import.meta.url)
const items = new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url)
const parameters = { temperature: 0, maxTokens: 64 }

export default defineConfig({
  name: "robustness",
  dataset: perturbed(dataset(items.href, { sample: { n: 60, by: "task", seed: 1 } }), {
    seed: 1,
    perturbations: [
      perturb.typos(),
      perturb.letterCase({ to: "lower" }),
      perturb.letterCase({ to: "upper" }),
      perturb.whitespace(),
      perturb.punctuation(),
      perturb.numerals(),
      perturb.synonyms({ thesaurus: loadWordNet }),
      perturb.homoglyphs(),
      perturb.invisibleCharacters(),
      perturb.fillerSentence(),
      perturb.distractorSentence(),
      perturb.foreignSentence({ place: "after" }),
      perturb.paraphraseTemplate(),
      perturb.injectedInstruction(),
    ],
  }),
  variants: [
    variant({ name: "f16", provider: local(model), parameters }),
    variant({ name: "q4_0", provider: local(model, { quantization: "Q4_0" }), parameters }),
  ],
  metrics: [exactMatch(), expectedCalibrationError(), attackSuccess()],
  baseline: "f16",
})
