import { expect, it } from "vitest"
import { renderMarkdown } from "../../../reports/export/markdown.ts"
import { renderTerminal } from "../../../reports/terminal/terminal.ts"
import { type Figure, unknown } from "../../../src/core/report/figure.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { syntheticInput } from "../../support/synthetic/report.ts"

const { report } = syntheticInput({ samples: 4 })
const figure = (value: number): Figure => ({ status: "known", value, n: 20, method: "test" })
const hostile = "<b>\u001b[2J|"
const level = (variant: string, quality: number, ms: number) => ({
  variant,
  figures: [figure(quality), figure(ms), figure(2 * ms), variant === hostile ? unknown("no price") : figure(0.001)],
})
const small = { slices: 0, samples: 0, pooled: false }
const slices = ["4096", "1024"].map((slice, i) => ({
  ...{ slice, samples: 20, changes: [] },
  levels: [level("long", 0.9 - 0.2 * (1 - i), 400 - 300 * i), level(hostile, 0.8, 50)],
}))
const data = {
  baseline: "long",
  figures: [
    { name: "numericMatch", unit: "share", direction: "higher" },
    { name: "ttftMs", unit: "ms", direction: "lower" },
    { name: "e2eMs", unit: "ms", direction: "lower" },
    { name: "costUsd", unit: "usd", direction: "lower" },
  ],
  axes: [{ axis: "metadata.contextTokens", title: "contextTokens", note: null, slices, small }],
  leftOut: [],
}
const section = { kind: "slices", title: "Slices of the samples", sentences: [], data }
const sliced = { ...report, sections: [section] } as unknown as RunReport

it("shows the context-length curve in the terminal, shortest first, at every width", () => {
  const at = (columns: number) => renderTerminal(sliced, { columns, color: false, unicode: true }).split("\n")
  const lines = at(120)
  const start = lines.indexOf(" By the length of the context")
  expect(lines.slice(start + 1, start + 6).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["tokens", "numeric match", "median time to first token", "median time", "cost per answer"],
    ["1,024", "long", "0.900", "100 ms", "200 ms", "$0.00100"],
    ["1,024", "<b>|", "0.800", "50.0 ms", "100 ms", "unknown"],
    ["4,096", "long", "0.700", "400 ms", "800 ms", "$0.00100"],
    ["4,096", "<b>|", "0.800", "50.0 ms", "100 ms", "unknown"],
  ])
  const narrow = at(60)
  expect(narrow.every((line) => line.length <= 60)).toBe(true)
  for (const word of ["numeric match", "cost per answer"]) expect(narrow.join("\n")).toContain(word)
})

it("shows it in Markdown, escaped", () => {
  const text = renderMarkdown(sliced)
  expect(text).toContain(
    "| tokens | variant | numeric match | median time to first token | median time | cost per answer |",
  )
  expect(text).toContain("| 1,024 | long | 0.900 | 100 ms | 200 ms | \\$0.00100 |")
  expect(text).toContain("&lt;b&gt;")
  expect(text).not.toContain("<b>")
})
