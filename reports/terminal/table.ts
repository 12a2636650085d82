import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { failedCount, standings, type VariantColumn, variantColumns } from "../export/columns.ts"
import { aboutMark, figureCell } from "../format/figure.ts"
import { count, significant } from "../format/number.ts"
import { quantityPair } from "../format/quantity.ts"
import { plainText } from "../format/text.ts"
import { percentileNotes } from "../wording/percentile-notes.ts"
import { cells, pad, type TerminalOptions, type TerminalStyle, truncate, wrap } from "./style.ts"

/** Rows that fit one screen; the others are counted in a line. */
const rowLimit = 16
const gap = "  "

interface Cell {
  readonly text: string
  readonly paint: (text: string) => string
}

/** Shown where the terminal is wide; the size of the model file says nearly the same. */
const wideOnly = "memoryBytes"

/** One row per variant; columns that have no room are left out, those that decide least first. */
export function variantTable(report: RunReport, style: TerminalStyle, options: TerminalOptions): string[] {
  const shown = report.variants.slice(0, rowLimit)
  const offered = variantColumns(report).filter(
    (column) => (column.primary || !isMetric(report, column)) && (column.id !== wideOnly || options.columns >= 115),
  )
  const columns = chosenColumns(report, offered, style, options.columns - 1)
  const header = ["variant", ...columns.map((column) => column.title)].map((text) => ({ text, paint: style.dim }))
  const rows = shown.map((variant) => [
    nameCell(report, variant, style),
    ...(variant.failure === null ? columns.map((column) => figureCellOf(report, column, variant, style)) : []),
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
  const visible = columns.slice(0, widths.length - 1)
  const notes = percentileNotes(shown, visible).flatMap((note) =>
    wrap(style.text(note), options.columns - 3, options.unicode),
  )
  return [...lines, ...notes.map((line) => style.dim(` ${line}`)), ...warningLines(shown, visible, style, options)]
}

/**
 * The columns that fit, in their usual order. What decides is chosen first: the primary metrics, then failures and cost, then
 * time, without its p99 where there is no room for it, then the rest; a column in which nothing is known comes last.
 */
function chosenColumns(
  report: RunReport,
  offered: readonly VariantColumn[],
  style: TerminalStyle,
  available: number,
): readonly VariantColumn[] {
  const shown = report.variants.filter(({ failure }) => failure === null).slice(0, rowLimit)
  const widthOf = (column: VariantColumn) =>
    Math.max(cells(column.title), ...shown.map((variant) => cells(figureCellOf(report, column, variant, style).text)))
  const isKnown = (column: VariantColumn) => shown.some((variant) => column.figure(variant).status === "known")
  const rank = (column: VariantColumn) => {
    if (column.primary) return -1
    const place = byImportance.indexOf(column.id)
    return (isKnown(column) ? 0 : offered.length + byImportance.length) + (place < 0 ? byImportance.length : place)
  }
  const names = report.variants.slice(0, rowLimit).map((variant) => cells(nameCell(report, variant, style).text))
  let room = available - 1 - Math.max(cells("variant"), ...names)
  const chosen = new Map<VariantColumn, VariantColumn>()
  for (const column of offered.toSorted((a, b) => rank(a) - rank(b))) {
    const fitting = [column, ...firstAlone(column)].find((one) => gap.length + widthOf(one) <= room)
    if (fitting === undefined) continue
    room -= gap.length + widthOf(fitting)
    chosen.set(column, fitting)
  }
  return offered.flatMap((column) => chosen.get(column) ?? [])
}

/** A column of p50 and p99 as one of p50, where there is no room for both. */
function firstAlone({ second, title, ...column }: VariantColumn): readonly VariantColumn[] {
  return second === undefined ? [] : [{ ...column, title: title.replace("/p99", "") }]
}

/** Columns beside the metrics, those that decide first. */
const byImportance = ["failed", "perThousandUsd", "e2eMs", "ttftMs", "tokensPerSecond", "modelBytes"]

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

function isMetric(report: RunReport, column: VariantColumn): boolean {
  return report.metrics.some((metric) => metric.name === column.id)
}

function nameCell(report: RunReport, variant: VariantReport, style: TerminalStyle): Cell {
  const paint = variant.baseline ? style.bold : isDominated(report, variant.name) ? style.dim : (text: string) => text
  return { text: `${variantMark(report, variant, style)} ${style.text(plainText(variant.name, 28))}`, paint }
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
