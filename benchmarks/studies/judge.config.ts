// Run by judge.ts: two rubrics for the labelled answers, two comparisons for the pairs of solutions.
import { defineConfig, defineRubric, pairwise, recorded, rubric, variant } from "evalkit"
import { model, referenceRows } from "./models.ts"

interface Solution {
  readonly is_correct: boolean
  readonly solution: string
}
interface Solved {
  readonly question: string
  readonly ground_truth: string
  readonly "6b_finetuning": Solution
  readonly "175b_verification": Solution
}

/** The twelve shortest questions of GSM8K of whose two solutions one is right, and the answers by whether they are. */
const pairs = referenceRows<Solved>("gsm8k_solutions.jsonl")
  .map((row, i) => ({ id: `gsm8k-${i + 1}`, ...row, solutions: [row["6b_finetuning"], row["175b_verification"]] }))
  .filter(({ solutions: [small, large] }) => small?.is_correct !== large?.is_correct)
  .sort((a, b) => a.question.length - b.question.length)
  .slice(0, 12)
const answers = (isCorrect: boolean) =>
  recorded(
    pairs.map(({ id, solutions }) => {
      const { solution = "" } = solutions.find((entry) => entry.is_correct === isCorrect) ?? {}
      return { id, text: solution.replaceAll(/<<[^>]*>>/g, "") }
    }),
  )

const factual = defineRubric({
  name: "factual",
  instructions: "Is everything that the answer says true? Say no where it holds a false statement.",
  choices: { no: 0, yes: 1 },
  reply: "label",
})
const judges = (["smollm2", "gemma3"] as const).map((judge) => ({ judge, provider: model(judge, { parallel: 1 }) }))

/** The verdict alone, in a few tokens, behind two worked examples: a reason of a small model is seldom one, and takes most of the time. */
const asked = (question: string, first: string, second: string) =>
  `Question: ${question}\nSolution A: ${first}\nSolution B: ${second}\nOne of the two solutions is right. Its letter:`
const shown = [
  `${asked("What are 2 apples and 3 apples?", "2 + 3 = 6", "2 + 3 = 5")} B`,
  `${asked("Tom has 9 pens and loses 4. How many are left?", "9 - 4 = 5", "9 + 4 = 13")} A`,
]
const template = [...shown, asked("{input}", "{first}", "{second}")].join("\n\n")

export default defineConfig({
  name: "judge-study",
  dataset: pairs.map(({ id, question: input }) => ({ id, input })),
  variants: [variant({ name: "right", provider: answers(true) }), variant({ name: "wrong", provider: answers(false) })],
  // Without a pair the labels are judged, which `judge validate` finds by name.
  metrics: judges.map(({ judge, provider }) =>
    process.env.JUDGED === "pairs"
      ? pairwise({
          ...{ name: `${judge}-prefers`, judge, provider, template },
          against: { variant: "wrong" },
          parameters: { maxTokens: 4 },
        })
      : rubric({ name: `${judge}-factual`, judge, provider, rubric: factual }),
  ),
  baseline: "wrong",
  seed: 1,
})
