/** Gates of other makers on real pairs of models, beside evalkit's verdict on the same draws: see README.md. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createRandom } from "../../../src/core/random.ts"
import { decideAll, drawOf, meanOf } from "../../verdicts/real-pairs.ts"
import { margins, printPairs, publishedPairs } from "../../verdicts/real-pairs-table.ts"
import type { Answer } from "../../verdicts/rules.ts"
import { peersFolder, pythonWith } from "../environment.ts"

const here = import.meta.dirname
const python = pythonWith("verdicts", join(here, "requirements.txt"), ["evalsig", "truescore", "model_migration_kit"])
const folder = join(peersFolder, "runs/gates")
mkdirSync(folder, { recursive: true })
const pairs = publishedPairs(Number(process.argv.slice(2).find((share) => Number(share) > 0) ?? 0.1))
const sizes = [100, 200, 400]
const seedOf = (task: string, i: number, n: number) => `${task} ${i} ${n}`
const lines = sizes.flatMap((n) =>
  pairs.map((pair, i) => {
    const [baseline, candidate] = drawOf(pair, n, createRandom(seedOf(pair.task, i, n)))
    return JSON.stringify({ baseline: [...baseline], candidate: [...candidate], rate: meanOf(pair.baseline), margins })
  }),
)
writeFileSync(join(folder, "draws.jsonl"), lines.join("\n"))
const { status } = spawnSync(python, [join(here, "gates.py")], { cwd: folder, stdio: "inherit" })
if (status !== 0) throw new Error("gates.py failed")
/** Of a draw, by margin: the answer of each gate. */
type Decided = readonly Readonly<Record<string, Answer>>[]
const decided = readFileSync(join(folder, "decided.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Decided)
printPairs(pairs, sizes, (pair, i, n) =>
  decideAll(pair, n, margins, seedOf(pair.task, i, n)).map((rules, m) => {
    const others = decided[sizes.indexOf(n) * pairs.length + i]?.[m] ?? {}
    return new Map([["evalkit", rules.get("evalkit") as Answer], ...Object.entries(others)])
  }),
)
