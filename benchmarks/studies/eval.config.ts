// Run by swap.ts, which states the folders. The job: say which of eight kinds of question one is, as a router does before it chooses a model.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, exactMatch, local, type Price, variant } from "evalkit"

const folder = process.env.STUDY ?? "."
interface Question {
  readonly question_id: number
  readonly category: string
  readonly turns: readonly string[]
}

/** The 80 questions of MT-bench; the shortest of each kind are the eight examples that every prompt begins with. */
const questions = readFileSync(join(process.env.EVALKIT_REFERENCE_DATA ?? ".", "mt_bench.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Question)
const kinds = [...new Set(questions.map(({ category }) => category))]
const text = ({ turns }: Question) => (turns[0] ?? "").slice(0, 160)
const examples = kinds.flatMap((kind) =>
  questions
    .filter(({ category }) => category === kind)
    .sort((a, b) => (a.turns[0] ?? "").length - (b.turns[0] ?? "").length)
    .slice(0, 1),
)
const task = `Name the kind of the question in one word: ${kinds.join(", ")}.`
const shots = examples.flatMap((one) => [
  { role: "user", content: text(one) },
  { role: "assistant", content: one.category },
])

// What the machine is taken to cost; its capacity is what `evalkit bench` found.
const price = (name: string): Price => ({
  kind: "hourly",
  usdPerHour: 0.1,
  instances: 1,
  utilisation: 0.5,
  source: "assumed: two shared cores of a cloud machine",
  date: "2026-11-28",
  ...(process.env.STUDY_BENCH && { capacity: join(folder, `bench-${name}.json`) }),
})
const model = (name: string, file: string) =>
  variant({
    name,
    provider: local(join(folder, file), { threads: 1, parallel: 2, contextSize: 2048 }),
    price: price(name),
    parameters: { temperature: 0, maxTokens: 8, stop: ["\n"] },
  })

export default defineConfig({
  name: "swap-study",
  dataset: questions
    .filter((one) => !examples.includes(one))
    .map((one) => ({
      id: `mt-bench-${one.question_id}`,
      input: [{ role: "system", content: task }, ...shots, { role: "user", content: text(one) }],
      references: [one.category],
      kind: one.category,
    })),
  variants: [model("smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"), model("gemma3", "gemma-3-270m-q4_k_m.gguf")],
  metrics: [exactMatch()],
  slices: ["kind"],
  baseline: "smollm2",
  margin: 0.05,
  axes: ["quality", "costUsd", "ttftMs"],
  seed: 1,
  concurrency: 1,
})
