import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createRandom } from "../../src/core/random.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const words = "the answer to this question is forty two of course and nobody knows why it should be so".split(" ")

/**
 * Writes a project into a folder as a user has one: a data set, a file of recorded answers per variant, and a config. Answers of eight
 * words; variant i is right in 70 − i % of the cases.
 */
export function writeProject(folder: string, { samples, variants }: { samples: number; variants: number }): void {
  const names = Array.from({ length: variants }, (_, i) => `v${i}`)
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(root, join(folder, "node_modules", "evalkit"))
  const idOf = (i: number) => `q${String(i).padStart(7, "0")}`
  const rightAnswer = (i: number) => `it is ${words.slice(i % 7, (i % 7) + 5).join(" ")} ${i % 7}`
  const lines = (row: (i: number) => object) =>
    Array.from({ length: samples }, (_, i) => `${JSON.stringify(row(i))}\n`).join("")
  const question = (i: number) => `Question ${i}: what of ${words[i % 17]} and ${words[(i * 5) % 17]}, and why?`
  writeFileSync(
    join(folder, "data.jsonl"),
    lines((i) => ({ id: idOf(i), input: question(i), reference: rightAnswer(i) })),
  )
  names.forEach((name, number) => {
    const random = createRandom(name)
    const row = (i: number) => {
      const text = rightAnswer(random.next() < 0.7 - number / 100 ? i : i + 1)
      const ttftMs = 80 + 100 * random.next()
      const usage = { promptTokens: 30, completionTokens: 8 }
      return { id: idOf(i), text, ttftMs, e2eMs: ttftMs + 200 * random.next(), usage }
    }
    writeFileSync(join(folder, `${name}.jsonl`), lines(row))
  })
  writeFileSync(
    join(folder, "eval.config.ts"),
    `import { dataset, defineConfig, exactMatch, recorded, variant } from "evalkit"
const price = { kind: "tokens", inputPerMillion: 1, outputPerMillion: 2, cachedInputPerMillion: null, source: "benchmark", date: "2026-01-01" } as const
export default defineConfig({
  dataset: dataset("data.jsonl"),
  variants: ${JSON.stringify(names)}.map((name) => variant({ name, provider: recorded(name + ".jsonl"), price })),
  metrics: [exactMatch()],
})
`,
  )
}
