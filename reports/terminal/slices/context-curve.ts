import type { RunReport } from "../../../src/core/report/report.ts"
import { count } from "../../../src/words/number.ts"
import { plainText } from "../../../src/words/text.ts"
import { contextTable } from "../../wording/context-curve.ts"
import { slicings } from "../../wording/placed-sections.ts"
import { cells, type TerminalOptions, type TerminalStyle, truncate } from "../style.ts"
import { stackedTables, textTable } from "../text-table.ts"

/** Rows that have room. */
const mostRows = 24

/** The context-length curve in figures: a row a length and variant; what does not fit goes without its intervals, which the report has. */
export function contextCurveLines(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const section = slicings(report).find((one) => one.kind === "slices")
  const table = section?.kind === "slices" ? contextTable(section.data) : null
  if (!table) return []
  const room = options.columns - 1
  const safe = (row: readonly string[]) => row.map((cell) => style.text(plainText(cell, 30)))
  // One column says which row it is, so that tables below each other can repeat it.
  const keyed = ([tokens = "", variant = "", ...figures]: readonly string[]) => [`${tokens}  ${variant}`, ...figures]
  const shown = table.rows.slice(0, mostRows).map(safe)
  const width = Math.max(...shown.map(([tokens = ""]) => cells(tokens)), 0)
  const rows = shown.map(([tokens = "", ...rest]) => keyed([tokens.padStart(width), ...rest]))
  const header = ["tokens", ...safe(table.header).slice(2)]
  const whole = textTable(header, rows).trimEnd().split("\n")
  const lines = whole.every((line) => cells(line) <= room)
    ? whole
    : stackedTables(
        header,
        rows.map((row) => row.map((cell, i) => (i === 0 ? cell : cell.replace(/ [±+(≥≤].*$/, "")))),
        room,
      )
  const hidden = table.rows.length - shown.length
  return [
    ` ${style.bold("By the length of the context")}`,
    ...lines.map((line) => truncate(line, room, options.unicode)),
    ...(hidden > 0 ? [` ${style.dim(`${count(hidden)} more rows are in the report`)}`] : []),
  ]
}
