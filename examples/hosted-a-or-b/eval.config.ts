// May the cheaper hosted model replace today's? The answers are made up for this example: recorded ones that look like a
// hosted model's. For the real thing put openai({ model: "…" }) and groq({ model: "…" }) in the place of recorded(…),
// leave the prices out (the price book knows them), and set OPENAI_API_KEY and GROQ_API_KEY.
import { dataset, defineConfig, exactMatch, recorded, variant } from "evalkit"

const answers = (name: string) => recorded(new URL(`recorded-${name}.jsonl`, import.meta.url))
const price = (inputPerMillion: number, outputPerMillion: number) =>
  ({
    kind: "tokens",
    inputPerMillion,
    outputPerMillion,
    source: "made up for the example",
    date: "2026-11-21",
  }) as const

export default defineConfig({
  name: "hosted a or b",
  dataset: dataset("questions.jsonl"),
  variants: [
    variant({ name: "a", provider: answers("a"), price: price(2.5, 10) }),
    variant({ name: "b", provider: answers("b"), price: price(0.6, 0.8) }),
  ],
  metrics: [exactMatch()],
  margin: 0.02,
  constraints: ["ttftMs.p95 <= 800"],
})
