import type { Figure } from "../../src/core/report/figure.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { figureCell } from "../../src/words/figure.ts"
import { significant } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"
import { textColumns } from "../export/text-columns.ts"
import { shortNames } from "./short-names.ts"
import { cells, pad, type TerminalOptions, type TerminalStyle, truncate } from "./style.ts"

/** More rows would push the verdict off the screen: then they are in the report only. */
const mostRows = 8
const gap = "  "
const longestName = 28

/**
 * The second table: what the answers hold, and how fast and dear they are per answer, in own tokens, o200k tokens and characters.
 * Columns that do not fit are dropped from the right; empty where a report has no such figures.
 */
export function answerTable(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const variants = report.variants.filter(({ text }) => text?.charactersPerAnswer.status === "known")
  if (variants.length === 0 || report.variants.length > mostRows) return []
  const columns = textColumns.filter(({ inTerminal }) => inTerminal)
  const names = shortNames(
    variants.map(({ name }) => style.text(plainText(name, 80))),
    longestName,
    options.unicode,
  )
  const table = [
    ["per answer", ...columns.map(({ title }) => title)],
    ...variants.map((variant, i) => [
      names[i] ?? "",
      ...columns.map(({ figure, unit }) => cell(figure(variant), unit)),
    ]),
  ]
  const widths: number[] = []
  let used = 3
  for (const [place] of (table[0] ?? []).entries()) {
    const width = Math.max(...table.map((row) => cells(row[place] ?? "")))
    if (place > 0 && used + gap.length + width > options.columns - 1) break
    widths.push(Math.min(width, options.columns - 4))
    used += width + (place > 0 ? gap.length : 0)
  }
  return table.map((row, index) => {
    const texts = widths.map((width, place) => {
      const text = pad(
        truncate(style.text(row[place] ?? ""), width, options.unicode),
        width,
        place === 0 ? "end" : "start",
      )
      return index === 0 || row[place] === "unknown" ? style.dim(text) : text
    })
    return `   ${texts.join(gap)}`.replace(/ +$/, "")
  })
}

function cell(figure: Figure, unit: "usd" | null): string {
  if (figure.status === "unknown") return "unknown"
  return unit === "usd" ? significant(figure.value) : figureCell({ ...figure, low: null }, unit)
}
