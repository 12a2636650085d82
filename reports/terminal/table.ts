import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { count, significant } from "../../src/words/number.ts"
import { plainText } from "../../src/words/text.ts"
import { shownColumns, standings, type VariantColumn } from "../view-model/variant-columns.ts"
import { isDominated, markOf, variantCell } from "../view-model/variant-rows.ts"
import { answeredNotes } from "../wording/answered-notes.ts"
import { percentileNotes } from "../wording/percentile-notes.ts"
import { chooseColumns } from "./choose-columns.ts"
import { shortNames } from "./short-names.ts"
import { cells, pad, paragraph, type Screen, truncate } from "./style.ts"
import { stackedTables } from "./text-table.ts"

/** Rows that fit one screen; the others are counted in a line. */
const maxRows = 16
/** With more variants a metric without room is a column, and only those that decide are shown. */
const maxTransposed = 6
const gap = "  "
/** Of the sign before a name, and the space behind it. */
const markWidth = 2

interface PaintedCell {
  readonly text: string
  readonly paint: (text: string) => string
}

/** Shown where the terminal is wide; the size of the model file says nearly the same. */
const wideOnly = "memoryBytes"

/**
 * One row per variant; columns that have no room are left out, those that decide least first. Metrics that have no room
 * follow in a table below; of many variants those that decide.
 */
export function variantTable(report: RunReport, screen: Screen): string[] {
  const shown = report.variants.slice(0, maxRows)
  const offered = shownColumns(report).filter((column) => column.id !== wideOnly || screen.columns >= 115)
  const cellOf = (column: VariantColumn, variant: VariantReport) => paintedCell(report, column, variant, screen)
  const measured = shown.filter(({ failure }) => failure === null)
  const names = shown.map(({ name }) => screen.text(plainText(name, 80)))
  const { columns, nameWidth, below } = chooseColumns(offered, {
    variants: measured,
    isMetric: (column) => report.metrics.some(({ name }) => name === column.id),
    widthOf: (column) =>
      Math.max(cells(column.title), ...measured.map((variant) => cells(cellOf(column, variant).text))) + gap.length,
    longestName: Math.max(cells("variant") - markWidth, ...names.map(cells)),
    room: screen.columns - 2 - markWidth,
  })
  const short = shortNames(names, nameWidth, screen.unicode)
  const header = ["variant", ...columns.map((column) => column.title)].map((text) => ({ text, paint: screen.dim }))
  const rows = shown.map((variant, i) => [
    nameCell(report, variant, short[i] ?? "", screen),
    ...(variant.failure === null ? columns.map((column) => cellOf(column, variant)) : []),
  ])
  const widths = fittingWidths([header, ...rows], screen.columns - 1)
  const lines = [rowLine(header, widths, screen)]
  rows.forEach((row, index) => {
    const variant = shown[index] as VariantReport
    let line = rowLine(row, widths, screen)
    if (variant.failure !== null) {
      const room = screen.columns - cells(line) - gap.length
      line += gap + screen.bad(truncate(screen.text(`failed: ${plainText(variant.failure)}`), room, screen.unicode))
    } else if (isDominated(report, variant.name) && cells(line) + gap.length + 9 <= screen.columns) {
      line += gap + screen.dim("dominated")
    }
    lines.push(line)
  })
  const hidden = report.variants.length - shown.length
  if (hidden > 0) lines.push(screen.dim(` ${count(hidden)} more variants: see the report`))
  const isFew = measured.length <= maxTransposed
  const more = isFew ? below : below.filter(({ primary }) => primary)
  const others = metricLines(more, measured, {
    isFew,
    nameOf: (variant) => short[shown.indexOf(variant)] ?? "",
    textOf: (column, variant) => cellOf(column, variant).text,
    columns: screen.columns,
  })
  const visible = columns.slice(0, widths.length - 1)
  const notes = [...answeredNotes(report), ...percentileNotes(shown, visible, { cellsSayWhy: false })]
  return [
    ...lines,
    ...notes.flatMap((note) => paragraph(screen, note, { margin: 3, limit: 2000 }).map(screen.dim)),
    ...(more.length === 0 ? [] : ["", ...others.map((line) => truncate(line, screen.columns, screen.unicode))]),
    ...warningLines(shown, [...visible, ...more], screen),
  ]
}

/** What a reader must know of the metrics that decide: a perplexity above the vocabulary's size; at most three. */
function warningLines(variants: readonly VariantReport[], columns: readonly VariantColumn[], screen: Screen): string[] {
  const warnings = columns
    .filter(({ primary }) => primary)
    .flatMap((column) =>
      variants.flatMap((variant) => {
        const figure = column.figure(variant)
        return figure.status === "known" && figure.warning !== undefined
          ? [`${plainText(column.title, 40)} of ${plainText(variant.name, 28)}: ${plainText(figure.warning, 300)}`]
          : []
      }),
    )
  const layout = { margin: 4, next: "   ", paint: screen.warn }
  return warnings.slice(0, 3).flatMap((warning) => paragraph(screen, `! ${warning}`, layout))
}

/** Metrics that have no room beside the variants: a line each, or, of many variants, a column each. */
function metricLines(
  metrics: readonly VariantColumn[],
  variants: readonly VariantReport[],
  { isFew, nameOf, textOf, columns }: MetricLines,
): readonly string[] {
  const titleOf = ({ title, primary }: VariantColumn) => (primary && isFew ? `${title}, decides` : title)
  if (isFew)
    return stackedTables(
      ["metric", ...variants.map(nameOf)],
      metrics.map((metric) => [titleOf(metric), ...variants.map((variant) => textOf(metric, variant))]),
      columns,
    )
  return stackedTables(
    ["decides, too", ...metrics.map(titleOf)],
    metrics.length === 0
      ? []
      : variants.map((variant) => [nameOf(variant), ...metrics.map((metric) => textOf(metric, variant))]),
    columns,
  )
}

interface MetricLines {
  /** Whether a metric is a line. */
  readonly isFew: boolean
  readonly columns: number
  nameOf(variant: VariantReport): string
  textOf(column: VariantColumn, variant: VariantReport): string
}

function nameCell(report: RunReport, variant: VariantReport, name: string, screen: Screen): PaintedCell {
  const mark = markOf(report, variant)
  const paint = variant.baseline ? screen.bold : mark === "dominated" ? screen.dim : (text: string) => text
  return { text: `${screen.marks[mark]} ${name}`, paint }
}

function paintedCell(report: RunReport, column: VariantColumn, variant: VariantReport, screen: Screen): PaintedCell {
  const figure = column.figure(variant)
  if (figure.status === "unknown") return { text: "unknown", paint: screen.dim }
  const quiet = isDominated(report, variant.name) ? screen.dim : (text: string) => text
  const { text, short = text } = variantCell(column, variant)
  if (column.id === "failed") return { text: short, paint: figure.value > 0 ? screen.bad : quiet }
  const doubt = figure.warning === undefined ? "" : " !"
  const shown =
    column.primary && !column.second ? `${text}${doubt}` : column.unit === "usd" ? significant(figure.value) : short
  const rank = standings(column, report.variants)[report.variants.indexOf(variant)]
  return { text: screen.text(shown), paint: rank === "best" ? screen.bold : quiet }
}

function rowLine(row: readonly PaintedCell[], widths: readonly number[], { unicode }: Screen): string {
  const texts = widths.flatMap((width, index) => {
    const cell = row[index]
    return cell ? [cell.paint(pad(truncate(cell.text, width, unicode), width, index === 0 ? "end" : "start"))] : []
  })
  return ` ${texts.join(gap)}`.replace(/ +$/, "")
}

/** Widths of the leading columns that fit together; the name is always shown, cut where it must be. */
function fittingWidths(table: readonly (readonly PaintedCell[])[], available: number): number[] {
  const widths: number[] = []
  let used = 0
  for (let index = 0; index < (table[0]?.length ?? 0); index++) {
    const width = Math.max(...table.map((row) => cells(row[index]?.text ?? "")))
    if (index > 0 && used + gap.length + width > available) break
    widths.push(Math.min(width, available))
    used += width + (index > 0 ? gap.length : 0)
  }
  return widths
}
