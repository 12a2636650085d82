import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const folder = new URL("../golden/outputs/", import.meta.url)

/** What no text for people holds, whatever command prints it. */
const faults: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["one of many", /(?<![\d.,])1 (?:answers|samples|pairs|variants|questions|labels|requests|tokens|turns|runs|rows)\b/],
  ["a power of ten", /\d\.\d+e[+-]?\d/],
  ["no value at all", /\bNaN\b|\bundefined\b|\[object /],
  ["a share of nothing", /\bof 0 (?:answers|samples|pairs)\b/],
  ["a name cut wrongly", /\bhat K|\bhatK|[a-z] at\d/],
  ["turns that are the pairs", /\b(\d+) pairs in \1 turns\b/],
  ["a number without its thousands", /(?<![\w.,:/=%-])(?!3000000)\d{6,}(?![\w.:/-])/],
]

describe("the texts that commands print", () => {
  const files = readdirSync(folder).filter((name) => /^(?!.*(?:json|otlp|data|charts|answers|explain|help))/.test(name))
  it.each(files)("%s holds none of the known faults", (name) => {
    const lines = readFileSync(new URL(name, folder), "utf8").split("\n")
    // Commands as they were typed, and JSON and CSV for programs, are no texts for people.
    const texts = lines.filter((line) => !/^\s*(?:["{}[\]]|\$ )|^\S*(?:,\S*){9}/.test(line))
    // In the text of a page, figures of neighbouring cells stand together.
    const applied = name.startsWith("page") ? faults.filter(([fault]) => !fault.includes("thousands")) : faults
    const names = applied.flatMap(([fault, pattern]) =>
      texts.filter((line) => pattern.test(line)).map((line) => `${fault}: ${line.trim().slice(0, 120)}`),
    )
    expect(names).toEqual([])
  })
})
