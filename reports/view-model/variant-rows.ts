import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { aboutMark, figureCell } from "../../src/words/figure.ts"
import { quantityPair } from "../../src/words/quantity.ts"
import { type Cell, cellOf } from "./table.ts"
import type { VariantColumn } from "./variant-columns.ts"

/** Where a variant stands: the baseline, on the frontier, dominated, or not on it because an axis is unknown. */
export type VariantMark = "baseline" | "frontier" | "dominated" | "unplaced"

/** The mark of a variant's row. */
export function markOf(report: RunReport, variant: VariantReport): VariantMark {
  if (variant.baseline) return "baseline"
  if (isDominated(report, variant.name)) return "dominated"
  return report.frontier?.points.some((point) => point.variant === variant.name) ? "frontier" : "unplaced"
}

/** Whether the frontier has the variant as dominated. */
export function isDominated({ frontier }: RunReport, name: string): boolean {
  return frontier?.points.some((point) => point.variant === name && !point.onFrontier) ?? false
}

/** A figure of a variant: with its interval, or both percentiles where the column has two; `short` is without the interval. */
export function variantCell(column: VariantColumn, variant: VariantReport): Cell {
  const { unit } = column
  const figure = column.figure(variant)
  const second = column.second?.(variant)
  if (figure.status === "unknown" || second === undefined) {
    const short = figure.status === "unknown" ? "unknown" : figureCell({ ...figure, low: null }, unit)
    return { ...cellOf(figure, unit), short }
  }
  const last = second.status === "known" ? second.value : null
  return { text: aboutMark(figure) + quantityPair(figure.value, last, unit), figure, unit }
}
