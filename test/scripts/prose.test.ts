import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { sourceFiles } from "../../scripts/architecture/imports.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** Texts of four words and more that are no prose, or what an error names: parts of SQL statements, heads of HTTP answers, hints. */
const notProse: Readonly<Record<string, number>> = {
  "src/store": 12,
  "src/perf": 2,
  "src/analyse": 9,
  "src/pipeline": 1,
}

it.each([
  "perf",
  "cost",
  "store",
  "stats",
  "bench",
  "estimate",
  "calls",
  "score",
  "rows",
  "run",
  "analyse",
  "pipeline",
])("keeps sentences out of src/%s; src/words and src/wording have a function or a constant for each", (room) => {
  const folder = `src/${room}`
  const texts = sourceFiles(root, folder).flatMap((file) => longTexts(readFileSync(join(root, file), "utf8")))
  expect(texts.slice(notProse[folder] ?? 0), texts.join("\n")).toEqual([])
})

it("keeps sentences out of the sections of metrics: src/words/metrics has them", () => {
  const files = sourceFiles(root, "metrics").filter((file) => file.includes("section"))
  expect(files.flatMap((file) => longTexts(readFileSync(join(root, file), "utf8")))).toEqual([])
})

/** Texts of four words and more in code; statements of SQL and messages of errors aside. */
function longTexts(source: string): string[] {
  const code = withoutErrors(source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ""))
  const texts = code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  return texts.filter((text) => {
    const words = text.replaceAll(/\$\{[^}]*\}/g, " X ")
    const isSql = /^.\s*(select|insert|update|delete|create|alter|with|pragma|drop)\b/i.test(words)
    return words.includes(" ") && (words.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 4 && !isSql
  })
}

/** The code without what is between the parentheses of `new …Error(…)`. */
function withoutErrors(code: string): string {
  const start = code.search(/new \w*Error\(/)
  if (start < 0) return code
  let end = code.indexOf("(", start)
  for (let depth = 1; depth > 0 && ++end < code.length; ) depth += { "(": 1, ")": -1 }[code[end] as string] ?? 0
  return code.slice(0, start) + withoutErrors(code.slice(end + 1))
}
