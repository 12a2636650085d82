// Run by swap.ts. The job: say which of eight kinds of question one is, as a router does before it chooses a model.
import { join } from "node:path"
import { defineConfig, exactMatch, variant } from "evalkit"
import { folder, machinePrice, model, referenceRows } from "./models.ts"

interface Question {
  readonly question_id: number
  readonly category: string
  readonly turns: readonly string[]
}

/** The 80 questions of MT-bench; the shortest of each kind are the eight examples that every prompt begins with. */
const questions = referenceRows<Question>("mt_bench.jsonl")
const kinds = [...new Set(questions.map(({ category }) => category))]
const text = ({ turns }: Question) => (turns[0] ?? "").slice(0, 160)
const examples = kinds.flatMap((kind) =>
  questions
    .filter(({ category }) => category === kind)
    .sort((a, b) => (a.turns[0] ?? "").length - (b.turns[0] ?? "").length)
    .slice(0, 1),
)
const task = `Name the kind of the question in one word: ${kinds.join(", ")}.`
const shots = examples.flatMap((example) => [
  { role: "user", content: text(example) },
  { role: "assistant", content: example.category },
])

// Its capacity is what `evalkit bench` found.
const router = (name: "smollm2" | "gemma3") =>
  variant({
    name,
    provider: model(name),
    price: { ...machinePrice, ...(process.env.STUDY_BENCH && { capacity: join(folder, `bench-${name}.json`) }) },
    parameters: { temperature: 0, maxTokens: 8, stop: ["\n"] },
  })

export default defineConfig({
  name: "swap-study",
  dataset: questions
    .filter((question) => !examples.includes(question))
    .map((question) => ({
      id: `mt-bench-${question.question_id}`,
      input: [{ role: "system", content: task }, ...shots, { role: "user", content: text(question) }],
      references: [question.category],
      kind: question.category,
    })),
  variants: [router("smollm2"), router("gemma3")],
  metrics: [exactMatch()],
  slices: ["kind"],
  baseline: "smollm2",
  margin: 0.05,
  axes: ["quality", "costUsd", "ttftMs"],
  seed: 1,
  concurrency: 1,
})
