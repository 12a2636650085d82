/** Verdicts of evalkit, computed anew in Python from exported rows: see README.md. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { createRandom } from "../../../src/core/random.ts"
import { peersFolder, pythonWith } from "../environment.ts"

const here = import.meta.dirname
const root = resolve(here, "../../..")
const folder = join(peersFolder, "runs", "verdicts")
const cli = join(root, "dist/src/cli/bin.js")

/** A synthetic run: samples, samples in a cluster, answers each, rates of a right answer, shares of answers that fail. */
interface Pair {
  readonly name: string
  readonly kind: "binary" | "graded"
  readonly n: number
  readonly cluster?: number
  readonly repeats?: number
  readonly right: readonly number[]
  /** Share of the samples on which a candidate answers as the baseline does. */
  readonly same: number
  readonly fail?: readonly number[]
  /** The candidate's time and tokens, as a share of the baseline's. */
  readonly speed: number
}

const pairs: readonly Pair[] = [
  { name: "binary-12", kind: "binary", n: 12, right: [0.8, 0.7], same: 0.7, speed: 0.6 },
  { name: "binary-40", kind: "binary", n: 40, right: [0.9, 0.4], same: 0.2, speed: 0.6 },
  { name: "binary-100", kind: "binary", n: 100, right: [0.7, 0.8], same: 0.8, speed: 1 },
  { name: "binary-200-better", kind: "binary", n: 200, right: [0.4, 0.9], same: 0.3, speed: 1 },
  { name: "binary-300-few", kind: "binary", n: 300, right: [0.9, 0.8], same: 0.98, speed: 0.7 },
  { name: "binary-60-equal", kind: "binary", n: 60, right: [0.9, 0.9], same: 1, speed: 1.3 },
  { name: "binary-losses", kind: "binary", n: 150, right: [1, 0.6], same: 0.9, speed: 0.7 },
  { name: "graded-8", kind: "graded", n: 8, right: [0.6, 0.5], same: 0, speed: 0.7 },
  { name: "graded-14", kind: "graded", n: 14, right: [0.6, 0.7], same: 0.2, speed: 0.7 },
  { name: "graded-60", kind: "graded", n: 60, right: [0.7, 0.7], same: 0, speed: 0.7 },
  { name: "graded-150-worse", kind: "graded", n: 150, right: [0.8, 0.5], same: 0.2, speed: 0.5 },
  { name: "graded-250-sparse", kind: "graded", n: 250, right: [0.8, 0.6], same: 0.95, speed: 0.9 },
  { name: "clustered-binary", kind: "binary", n: 90, cluster: 3, right: [0.7, 0.7], same: 0.8, speed: 0.8 },
  { name: "clustered-graded", kind: "graded", n: 120, cluster: 4, right: [0.6, 0.8], same: 0.3, speed: 1 },
  { name: "clustered-few", kind: "graded", n: 60, cluster: 9, right: [0.7, 0.6], same: 0.3, speed: 0.8 },
  { name: "fails-after", kind: "binary", n: 100, right: [0.8, 0.8], same: 0.9, fail: [0, 0.15], speed: 0.6 },
  { name: "fails-before", kind: "graded", n: 100, right: [0.7, 0.7], same: 0.7, fail: [0.2, 0], speed: 0.6 },
  { name: "fails-both", kind: "binary", n: 120, right: [0.7, 0.7], same: 0.8, fail: [0.1, 0.1], speed: 0.6 },
  { name: "repeats", kind: "binary", n: 60, repeats: 2, right: [0.7, 0.8], same: 0.6, speed: 0.8 },
  { name: "three", kind: "binary", n: 200, right: [0.6, 0.62, 0.8, 0.4], same: 0.85, speed: 0.7 },
]
const examples = ["ci-gate", "hosted-a-or-b", "self-hosted-or-api", "agent-tools", "production-traces"]

const python = pythonWith("verdicts", join(here, "requirements.txt"), ["numpy", "scipy", "statsmodels"])
if (!existsSync(cli)) throw new Error(`${cli}: not built; run npm run build`)
rmSync(folder, { recursive: true, force: true })
for (const pair of pairs) {
  const made = writePair(pair)
  evaluate(join(made, "eval.config.ts"), made, ["--retries", "0", "--repeats", String(pair.repeats ?? 1)])
}
for (const name of examples) {
  const made = join(folder, `example-${name}`)
  const from = join(root, "examples", name)
  mkdirSync(made, { recursive: true })
  const samples = ["questions.jsonl", "tasks.jsonl", "traffic/samples.jsonl"].find((file) =>
    existsSync(join(from, file)),
  ) as string
  cpSync(join(from, samples), join(made, "samples.jsonl"))
  evaluate(join(from, "eval.config.ts"), made, [])
}
const { status } = spawnSync(python, [join(here, "verdicts.py"), folder], { stdio: "inherit" })
process.exitCode = status ?? 1

/** Runs evalkit as a user does, and exports what the check reads: its report, and one row an answer. */
function evaluate(config: string, made: string, options: readonly string[]): void {
  const sh = (...args: string[]) =>
    spawnSync(process.execPath, [cli, ...args, "--directory", join(made, "store")], {
      encoding: "utf8",
      cwd: root,
      maxBuffer: 1 << 28,
    })
  // A gate may end with 3 or 4.
  const ran = sh("run", config, "--no-html", ...options)
  if (![0, 3, 4].includes(ran.status ?? 1)) throw new Error(`${config}: ${ran.stdout}${ran.stderr}`)
  writeFileSync(join(made, "report.json"), sh("report", "--json", "--config", config).stdout)
  writeFileSync(join(made, "rows.jsonl"), sh("report", "-f", "jsonl", "--config", config).stdout)
}

function writePair({ name, kind, n, cluster, repeats = 1, right, same, fail, speed }: Pair): string {
  const random = createRandom(`peers/verdicts/${name}`)
  const made = join(folder, name)
  mkdirSync(made, { recursive: true })
  const words = Array.from({ length: 10 }, (_, i) => `word${i}`)
  const samples = Array.from({ length: n }, (_, i) => ({
    id: `s${String(i).padStart(4, "0")}`,
    input: `Question ${i}?`,
    reference: kind === "binary" ? "yes" : words.join(" "),
    // Clusters of unequal sizes: of a square root's steps.
    ...(cluster && { cluster: `c${Math.floor(Math.sqrt((i * n) / cluster ** 2))}` }),
    topic: ["refunds", "orders", "accounts"][Math.floor(random.next() * 3)],
    language: random.next() < 0.4 ? "German" : "English",
  }))
  const answer = (share: number) =>
    kind === "binary"
      ? random.next() < share
        ? "yes"
        : "no"
      : words.map((word) => (random.next() < share ? word : `other${word}`)).join(" ")
  const first = new Map<string, string>()
  const rows = right.map((share, side) =>
    samples.flatMap(({ id, topic }) =>
      Array.from({ length: repeats }, (_, repeat) => {
        const key = `${id}/${repeat}`
        const earlier = first.get(key)
        const rate = side > 0 && topic === "refunds" ? share * 0.8 : share
        const text = earlier !== undefined && random.next() < same ? earlier : answer(rate)
        if (side === 0) first.set(key, text)
        const factor = (side > 0 ? speed : 1) * Math.exp(random.next() - 0.5)
        const row = { id, repeat, ttftMs: 200 * factor, e2eMs: 500 * factor }
        if (random.next() < (fail?.[side] ?? 0))
          return { ...row, outcome: "http_5xx", failure: { message: "server error" }, httpStatus: 503 }
        return { ...row, text, usage: { promptTokens: 20, completionTokens: Math.ceil(30 * factor) } }
      }),
    ),
  )
  const lines = (file: string, list: readonly unknown[]) =>
    writeFileSync(join(made, file), list.map((row) => `${JSON.stringify(row)}\n`).join(""))
  lines("samples.jsonl", samples)
  for (const [side, list] of rows.entries()) lines(`side-${side}.jsonl`, list)
  const price = `{ kind: "tokens", inputPerMillion: 1, outputPerMillion: 5, source: "made up", date: "2026-11-21" }`
  const variants = right.map(
    (_, i) =>
      `variant({ name: "v${i}", provider: recorded(new URL("side-${i}.jsonl", import.meta.url)), price: ${price} })`,
  )
  writeFileSync(
    join(made, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, recorded, tokenF1, variant } from "${join(root, "dist/src/index.js")}"
export default defineConfig({
  name: "${name}", dataset: dataset("samples.jsonl"), metrics: [${kind === "binary" ? "exactMatch(), tokenF1()" : "tokenF1(), exactMatch()"}],
  variants: [${variants}], margin: 0.05, slices: ["metadata.topic", "metadata.language"],
})
`,
  )
  return made
}
