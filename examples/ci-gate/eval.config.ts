// May this pull request be merged? `evalkit run` ends with 3 when a rule fails on evidence, with 4 when the samples cannot
// tell, with 0 otherwise. The answers are made up for this example; for the real thing put the model of main and the model
// (or prompt) of the branch in the place of recorded(…). See workflow.yml beside this file.
import { dataset, defineConfig, exactMatch, recorded, variant } from "evalkit"

const answers = (name: string) => recorded(new URL(`recorded-${name}.jsonl`, import.meta.url))

export default defineConfig({
  name: "ci gate",
  dataset: dataset("questions.jsonl"),
  variants: [
    variant({ name: "main", provider: answers("main") }),
    variant({ name: "branch", provider: answers("branch") }),
  ],
  metrics: [exactMatch()],
  gate: [
    { figure: "exactMatch", notWorseThanBaselineBy: 0.15, variants: ["branch"] },
    { figure: "exactMatch", min: 0.8 },
    { figure: "ttftMs.p50", max: 1000 },
  ],
})
