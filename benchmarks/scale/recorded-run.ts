import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createRandom } from "../../src/core/random.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const linesTogether = 10_000
const words = "the answer to this question is forty two of course and nobody knows why it should be so".split(" ")

/** Metrics of a project: exact match, or the five of `benchmarks/pipeline`. */
export const metricSets = {
  one: "exactMatch()",
  five: "exactMatch(), contains(), tokenF1(), chrf(), bleu()",
} as const

/** What {@link writeProject} writes. */
export interface ProjectSize {
  readonly samples: number
  readonly variants: number
  /** `one` by default. */
  readonly metrics?: keyof typeof metricSets
}

/**
 * Writes a project into a folder as a user has one: a data set, a file of recorded answers per variant, and a config. Answers of eight
 * words; variant i is right in 70 − i % of the cases.
 */
export function writeProject(folder: string, { samples, variants, metrics = "one" }: ProjectSize): void {
  const names = Array.from({ length: variants }, (_, i) => `v${i}`)
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(root, join(folder, "node_modules", "evalkit"))
  const idOf = (i: number) => `q${String(i).padStart(7, "0")}`
  const rightAnswer = (i: number) => `it is ${words.slice(i % 7, (i % 7) + 5).join(" ")} ${i % 7}`
  const question = (i: number) => `Question ${i}: what of ${words[i % 17]} and ${words[(i * 5) % 17]}, and why?`
  const writeLines = (name: string, row: (i: number) => object) => {
    const file = openSync(join(folder, name), "w")
    for (let from = 0; from < samples; from += linesTogether) {
      const count = Math.min(linesTogether, samples - from)
      writeSync(file, Array.from({ length: count }, (_, i) => `${JSON.stringify(row(from + i))}\n`).join(""))
    }
    closeSync(file)
  }
  writeLines("data.jsonl", (i) => ({ id: idOf(i), input: question(i), reference: rightAnswer(i) }))
  names.forEach((name, number) => {
    const random = createRandom(name)
    const row = (i: number) => {
      const text = rightAnswer(random.next() < 0.7 - number / 100 ? i : i + 1)
      const ttftMs = 80 + 100 * random.next()
      const usage = { promptTokens: 30, completionTokens: 8 }
      return { id: idOf(i), text, ttftMs, e2eMs: ttftMs + 200 * random.next(), usage }
    }
    writeLines(`${name}.jsonl`, row)
  })
  writeFileSync(join(folder, sizeFile), sizeText({ samples, variants, metrics }))
  writeFileSync(
    join(folder, configFile),
    `import { bleu, chrf, contains, dataset, defineConfig, exactMatch, recorded, tokenF1, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, cachedInputPerMillion: null, source: "benchmark", date: "2026-01-01" } as const
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: ${JSON.stringify(names)}.map((name) => variant({ name, provider: recorded(name + ".jsonl"), price })),
  metrics: [${metricSets[metrics]}],
})
`,
  )
}

/** How large the project of a folder is. */
const sizeFile = "size.json"
/** Written last: a folder that has it has the whole project. */
const configFile = "eval.config.ts"

/**
 * Writes a project as {@link writeProject} does where the folder has none.
 *
 * @throws {Error} where it has one of another size, whose figures would be taken for those that were asked for
 */
export function projectIn(folder: string, size: ProjectSize): void {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, configFile))) {
    writeProject(folder, size)
    return
  }
  const path = join(folder, sizeFile)
  const result = existsSync(path) ? readFileSync(path, "utf8") : "a project of unknown size"
  if (result !== sizeText(size))
    throw new Error(`${folder} holds ${result}, not ${sizeText(size)}: name another folder, or remove this one`)
}

function sizeText({ samples, variants, metrics = "one" }: ProjectSize): string {
  return JSON.stringify({ samples, variants, metrics })
}
