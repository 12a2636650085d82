// Run by gsm8k.ts: word problems behind three solved ones, with the steps written out.
import { defineConfig, numericMatch, variant } from "evalkit"
import { model, referenceRows } from "./models.ts"

interface Problem {
  readonly question: string
  /** Steps with calculations in `<<…>>`, and the number behind `A:`. */
  readonly ground_truth: string
}

const problems = referenceRows<Problem>("gsm8k_solutions.jsonl").slice(0, 33)
const solved = ({ ground_truth }: Problem) =>
  ground_truth.replaceAll(/<<[^>]*>>/g, "").replace(/\nA: (.*)$/, "\nThe answer is $1.")
const shots = problems.slice(0, 3).flatMap((problem) => [
  { role: "user", content: problem.question },
  { role: "assistant", content: solved(problem) },
])

export default defineConfig({
  name: "gsm8k-study",
  dataset: problems.slice(3).map(({ question, ground_truth }, i) => ({
    id: `gsm8k-${i + 4}`,
    input: [...shots, { role: "user", content: question }],
    references: [ground_truth.split("A:").at(-1)?.trim() ?? ""],
  })),
  variants: (["smollm2", "gemma3"] as const).map((name) =>
    variant({ name, provider: model(name), parameters: { temperature: 0, maxTokens: 120, stop: ["\nQuestion"] } }),
  ),
  metrics: [numericMatch()],
  baseline: "smollm2",
  margin: 0.05,
  seed: 1,
  concurrency: 2,
})
