// Does the candidate call the right tools with the right arguments? The answers are made up for this example; for the real
// thing put openai({ model: "…" }) in the place of recorded(…) and give the variants the tools: variant({ …, tools }).
import { argumentF1, dataset, defineConfig, recorded, toolCorrectness, variant } from "evalkit"

const answers = (name: string) => recorded(new URL(`recorded-${name}.jsonl`, import.meta.url))

export default defineConfig({
  name: "agent tools",
  dataset: dataset("tasks.jsonl"),
  variants: [
    variant({ name: "today", provider: answers("today") }),
    variant({ name: "candidate", provider: answers("candidate") }),
  ],
  metrics: [toolCorrectness({ match: "inOrder" }), argumentF1()],
  margin: 0.05,
  axes: ["quality", "e2eMs"],
})
