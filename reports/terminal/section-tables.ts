import type { RunReport } from "../../src/core/report/report.ts"
import { count } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"
import { contextTable } from "../view-model/context-curve.ts"
import { levelTable } from "../view-model/levels.ts"
import { quantizationTable } from "../view-model/quantization.ts"
import { quantizations, slicings, sweptLevels } from "../view-model/sections.ts"
import type { Table } from "../view-model/table.ts"
import { cells, paragraph, type Screen, truncate } from "./style.ts"
import { stackedTables, textTable } from "./text-table.ts"

/** Rows and sweeps that have room. */
const maxRows = 24
const maxSweeps = 3

/** The context-length curve in figures: a row a length and variant. */
export function contextCurveLines(report: RunReport, screen: Screen): string[] {
  const section = slicings(report).find((slicing) => slicing.kind === "slices")
  const table = section?.kind === "slices" ? contextTable(section.data) : null
  if (!table) return []
  const hidden = table.rows.length - maxRows
  return [
    ` ${screen.bold("By the length of the context")}`,
    ...tableLines({ ...table, rows: table.rows.slice(0, maxRows) }, screen).lines,
    ...(hidden > 0 ? [` ${screen.dim(`${count(hidden)} more rows are in the report`)}`] : []),
  ]
}

/** Each axis of a sweep: a row per level, and the knee in words. */
export function levelLines(report: RunReport, screen: Screen): string[] {
  return sweptLevels(report)
    .slice(0, maxSweeps)
    .flatMap(({ title, data, sentences }, i) => [
      ...(i === 0 ? [] : [""]),
      ...paragraph(screen, title, { limit: 80, paint: screen.bold }),
      ...tableLines(levelTable(data, report), screen).lines,
      ...sentences.flatMap((sentence, index) =>
        paragraph(screen, sentence, { limit: 1000, ...(index >= 2 && { paint: screen.dim }) }),
      ),
    ])
}

/** The quantizations of the baseline's model: a row per measure that is known, a column per variant. Empty without any. */
export function quantizationLines(report: RunReport, screen: Screen): string[] {
  const baseline = report.variants.find((variant) => variant.baseline)?.name
  const section = quantizations(report).find(({ data }) => data.reference === baseline)
  if (!section) return []
  const { columns, rows } = quantizationTable(section.data)
  const measured = rows.filter((row) => row.some(({ figure }) => figure?.status === "known"))
  const isMarked = rows.flat().some(({ figure }) => figure?.status === "known" && figure.isApproximate)
  const { lines, isWhole } = tableLines({ columns: [{ title: "" }, ...columns.slice(1)], rows: measured }, screen)
  const key = [
    ...(isWhole ? [] : ["in brackets: may be chance"]),
    ...(isMarked ? ["~ is within evalkit's own timing error"] : []),
    ...(isWhole ? [] : ["intervals: in the report"]),
  ]
  const note = { limit: 1000, paint: screen.dim }
  return [
    ...paragraph(screen, section.title, { limit: 80, paint: screen.bold }),
    ...paragraph(screen, key.join("; "), note),
    ...lines,
    ...[section.data.ranking, section.data.notMeasured].flatMap((text) => paragraph(screen, text ?? "", note)),
  ]
}

/** A table in lines of the screen: what does not fit goes without its intervals, which the report has, and in tables below each other. */
function tableLines(
  { columns, rows, keys = 1 }: Table,
  { columns: width, text, unicode }: Screen,
): { readonly lines: readonly string[]; readonly isWhole: boolean } {
  const safe = (value: string) => text(plainText(value, 60))
  const heads = rows.map((row) => row.slice(0, keys).map((cell) => text(plainText(cell.text, 30))))
  const first = Math.max(0, ...heads.map(([key = ""]) => cells(key)))
  // One column says which row it is, so that tables below each other can repeat it.
  const keyOf = ([key = "", ...rest]: readonly string[]) =>
    rest.length === 0 ? key : [key.padStart(first), ...rest].join("  ")
  const header = columns.map(({ title }) => text(plainText(title, 30))).filter((_, i) => i === 0 || i >= keys)
  const printed = (pick: (cell: Table["rows"][number][number]) => string) =>
    rows.map((row, i) => [keyOf(heads[i] ?? []), ...row.slice(keys).map((cell) => safe(pick(cell)))])
  const room = width - 1
  const whole = textTable(
    header,
    printed((cell) => cell.text),
  )
    .trimEnd()
    .split("\n")
  const isWhole = whole.every((line) => cells(line) <= room)
  const short = printed((cell) => cell.short ?? cell.text)
  const lines = isWhole ? whole : stackedTables(header, short, room)
  return { lines: lines.map((line) => truncate(line, room, unicode)), isWhole }
}
