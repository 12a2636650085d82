import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { configOf, evalkit, folder, getModels, referenceRows } from "./models.ts"

/**
 * Two small models as judges, against people's labels (HaluEval: does the answer hold a false statement?) and against the truth (pairs of
 * solutions of GSM8K, in both orders). `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/studies/judge.ts`
 */
interface Labelled {
  readonly ID: string
  readonly user_query: string
  readonly chatgpt_response: string
  readonly hallucination: "yes" | "no"
}

await getModels()
// The first twelve answers of either label with at most 300 characters, and of each the question.
const short = referenceRows<Labelled>("halueval_general.jsonl").filter(
  ({ chatgpt_response: answer }) => answer.length <= 300,
)
const rows = (["no", "yes"] as const).flatMap((label) =>
  short.filter(({ hallucination }) => hallucination === label).slice(0, 12),
)
const labels = join(folder, "halueval.jsonl")
const lines = rows.map(({ ID, user_query: input, chatgpt_response: output, hallucination }) =>
  JSON.stringify({ id: ID, input, output, human: hallucination === "no" ? 1 : 0 }),
)
writeFileSync(labels, lines.join("\n"))
for (const judge of ["smollm2", "gemma3"])
  evalkit("inherit", "judge", "validate", labels, "--config", configOf("judge"), "--metric", `${judge}-factual`)
process.env.JUDGED = "pairs"
evalkit("inherit", "run", configOf("judge"), ...process.argv.slice(2))
