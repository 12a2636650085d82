import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { aboutMark, figureCell } from "../../src/words/figure.ts"
import { count, significant } from "../../src/words/number.ts"
import { quantityPair } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { failedCount, shownColumns, standings, type VariantColumn } from "../export/columns.ts"
import { answeredNotes } from "../wording/answered-notes.ts"
import { percentileNotes } from "../wording/percentile-notes.ts"
import { chooseColumns } from "./choose-columns.ts"
import { shortNames } from "./short-names.ts"
import { cells, pad, type TerminalOptions, type TerminalStyle, truncate, wrap } from "./style.ts"
import { stackedTables } from "./text-table.ts"

/** Rows that fit one screen; the others are counted in a line. */
const rowLimit = 16
const gap = "  "
/** Of the sign before a name, and the space behind it. */
const markWidth = 2

interface Cell {
  readonly text: string
  readonly paint: (text: string) => string
}

/** Shown where the terminal is wide; the size of the model file says nearly the same. */
const wideOnly = "memoryBytes"

/**
 * One row per variant; columns that have no room are left out, those that decide least first. Metrics that decide and have no room
 * follow in a table below: none of them is left out.
 */
export function variantTable(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const shown = report.variants.slice(0, rowLimit)
  const offered = shownColumns(report).filter((column) => column.id !== wideOnly || options.columns >= 115)
  const cellOf = (column: VariantColumn, variant: VariantReport) => figureCellOf(report, column, variant, style)
  const known = shown.filter(({ failure }) => failure === null)
  const names = shown.map(({ name }) => style.text(plainText(name, 80)))
  const { columns, nameWidth, below } = chooseColumns(offered, {
    known,
    isMetric: (column) => report.metrics.some(({ name }) => name === column.id),
    widthOf: (column) =>
      Math.max(cells(column.title), ...known.map((variant) => cells(cellOf(column, variant).text))) + gap.length,
    longestName: Math.max(cells("variant") - markWidth, ...names.map(cells)),
    room: options.columns - 2 - markWidth,
  })
  const short = shortNames(names, nameWidth, options.unicode)
  const header = ["variant", ...columns.map((column) => column.title)].map((text) => ({ text, paint: style.dim }))
  const rows = shown.map((variant, i) => [
    nameCell(report, variant, short[i] ?? "", style),
    ...(variant.failure === null ? columns.map((column) => cellOf(column, variant)) : []),
  ])
  const widths = fittingWidths([header, ...rows], options.columns - 1)
  const lines = [rowLine(header, widths, options)]
  rows.forEach((row, index) => {
    const variant = shown[index] as VariantReport
    let line = rowLine(row, widths, options)
    if (variant.failure !== null) {
      const room = options.columns - cells(line) - gap.length
      line += gap + style.bad(truncate(style.text(`failed: ${plainText(variant.failure)}`), room, options.unicode))
    } else if (isDominated(report, variant.name) && cells(line) + gap.length + 9 <= options.columns) {
      line += gap + style.dim("dominated")
    }
    lines.push(line)
  })
  const hidden = report.variants.length - shown.length
  if (hidden > 0) lines.push(style.dim(` ${count(hidden)} more variants: see the report`))
  const more = stackedTables(
    ["decides, too", ...below.map(({ title }) => title)],
    below.length === 0
      ? []
      : known.map((variant) => [
          short[shown.indexOf(variant)] ?? "",
          ...below.map((column) => cellOf(column, variant).text),
        ]),
    options.columns,
  )
  const visible = columns.slice(0, widths.length - 1)
  const notes = [...answeredNotes(report), ...percentileNotes(shown, visible, { cellsSayWhy: false })].flatMap((note) =>
    wrap(style.text(note), options.columns - 3, options.unicode),
  )
  return [
    ...lines,
    ...notes.map((line) => style.dim(` ${line}`)),
    ...(below.length === 0 ? [] : ["", ...more.map((line) => truncate(line, options.columns, options.unicode))]),
    ...warningLines(shown, [...visible, ...below], style, options),
  ]
}

/** What a reader must know of the metrics that decide: a perplexity above the vocabulary's size; at most three. */
function warningLines(
  variants: readonly VariantReport[],
  columns: readonly VariantColumn[],
  style: TerminalStyle,
  options: TerminalOptions,
): string[] {
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
  return warnings.slice(0, 3).flatMap((warning) => {
    const text = wrap(style.text(`! ${warning}`), options.columns - 4, options.unicode)
    return text.map((line, i) => ` ${style.warn(i === 0 ? line : `  ${line}`)}`)
  })
}

/** ▲ baseline, ● on the frontier, ○ dominated, · not on the chart because an axis is unknown. */
export function variantMark(report: RunReport, variant: VariantReport, style: TerminalStyle): string {
  if (variant.baseline) return style.marks.baseline
  if (isDominated(report, variant.name)) return style.marks.dominated
  const placed = report.frontier?.points.some((point) => point.variant === variant.name)
  return placed ? style.marks.frontier : style.marks.unplaced
}

function isDominated(report: RunReport, name: string): boolean {
  return report.frontier?.points.some((point) => point.variant === name && !point.onFrontier) ?? false
}

function nameCell(report: RunReport, variant: VariantReport, name: string, style: TerminalStyle): Cell {
  const paint = variant.baseline ? style.bold : isDominated(report, variant.name) ? style.dim : (text: string) => text
  return { text: `${variantMark(report, variant, style)} ${name}`, paint }
}

function figureCellOf(report: RunReport, column: VariantColumn, variant: VariantReport, style: TerminalStyle): Cell {
  const figure = column.figure(variant)
  if (figure.status === "unknown") return { text: "unknown", paint: style.dim }
  const quiet = isDominated(report, variant.name) ? style.dim : (text: string) => text
  if (column.id === "failed") {
    const failed = failedCount(variant)
    return { text: count(failed), paint: failed > 0 ? style.bad : quiet }
  }
  const standing = standings(column, report.variants)[report.variants.indexOf(variant)]
  return { text: style.text(cellText(column, variant)), paint: standing === "best" ? style.bold : quiet }
}

function cellText(column: VariantColumn, variant: VariantReport): string {
  const figure = column.figure(variant)
  if (figure.status === "unknown") return "unknown"
  if (column.second) {
    const second = column.second(variant)
    return aboutMark(figure) + quantityPair(figure.value, second.status === "known" ? second.value : null, column.unit)
  }
  if (column.primary) return `${figureCell(figure, column.unit)}${figure.warning === undefined ? "" : " !"}`
  return column.unit === "usd" ? significant(figure.value) : figureCell({ ...figure, low: null }, column.unit)
}

function rowLine(row: readonly Cell[], widths: readonly number[], options: TerminalOptions): string {
  const texts = widths.flatMap((width, place) => {
    const cell = row[place]
    return cell
      ? [cell.paint(pad(truncate(cell.text, width, options.unicode), width, place === 0 ? "end" : "start"))]
      : []
  })
  return ` ${texts.join(gap)}`.replace(/ +$/, "")
}

/** Widths of the leading columns that fit together; the name is always shown, cut where it must be. */
function fittingWidths(table: readonly (readonly Cell[])[], available: number): number[] {
  const widths: number[] = []
  let used = 0
  for (let place = 0; place < (table[0]?.length ?? 0); place++) {
    const width = Math.max(...table.map((row) => cells(row[place]?.text ?? "")))
    if (place > 0 && used + gap.length + width > available) break
    widths.push(Math.min(width, available))
    used += width + (place > 0 ? gap.length : 0)
  }
  return widths
}
