import type { VariantReport } from "../../src/core/report/report.ts"
import type { VariantColumn } from "../view-model/variant-columns.ts"

/** Names are shortened to so many cells before a column that decides is left out. */
const minNameLength = 14
/** Longer names are shortened always. */
const maxShownLength = 28

/** Columns beside the metrics, those that decide first. */
const byImportance = [
  "failed",
  "perThousandUsd",
  "e2eMs",
  "attemptFailures",
  "other primary",
  "ttftMs",
  "tokensPerSecond",
  "modelBytes",
]
/** The first of them stand in a row before anything else does. */
const essential = 3

/** What there is to choose from, in terminal cells. */
export interface ColumnRoom {
  /** Variants that have figures. */
  readonly variants: readonly VariantReport[]
  isMetric(column: VariantColumn): boolean
  /** With the gap before it. */
  widthOf(column: VariantColumn): number
  readonly longestName: number
  readonly room: number
}

/**
 * The columns that fit, in their usual order. What decides is chosen first: the first primary metric, failures, cost, then time,
 * without its p99 where there is no room for it, then the other primary metrics and the rest; a column in which nothing is known
 * comes last. Names give way to the first four.
 */
export function chooseColumns(
  offered: readonly VariantColumn[],
  { variants, isMetric, widthOf, longestName, room }: ColumnRoom,
): {
  readonly columns: readonly VariantColumn[]
  readonly nameWidth: number
  /** Metrics that have no room, those that decide first. */
  readonly below: readonly VariantColumn[]
} {
  const first = offered.find(({ primary }) => primary)
  const isKnown = (column: VariantColumn) => variants.some((variant) => column.figure(variant).status === "known")
  const rank = (column: VariantColumn) => {
    if (column === first) return -1
    if (column.primary) return byImportance.indexOf("other primary")
    const index = byImportance.indexOf(column.id)
    const listed = index >= 0 ? index : byImportance.length + (isMetric(column) ? 1 : 0)
    return (isKnown(column) ? 0 : 2 * offered.length + byImportance.length) + listed
  }
  const sorted = offered.toSorted((a, b) => rank(a) - rank(b))
  const leastWidth = (column: VariantColumn) => Math.min(...[column, ...firstAlone(column)].map(widthOf))
  const needed = sorted
    .filter((column) => rank(column) < essential)
    .reduce((sum, column) => sum + leastWidth(column), 0)
  const nameWidth = Math.min(longestName, maxShownLength, Math.max(minNameLength, room - needed))
  let left = room - nameWidth
  const chosen = new Map<VariantColumn, VariantColumn>()
  for (const column of sorted) {
    const fitting = [column, ...firstAlone(column)].find((variantColumn) => widthOf(variantColumn) <= left)
    if (fitting === undefined) continue
    left -= widthOf(fitting)
    chosen.set(column, fitting)
  }
  return {
    columns: offered.flatMap((column) => chosen.get(column) ?? []),
    nameWidth,
    below: offered.filter((column) => isMetric(column) && !chosen.has(column)),
  }
}

/** A column of p50 and p99 as one of p50, where there is no room for both. */
function firstAlone({ second, title, ...column }: VariantColumn): readonly VariantColumn[] {
  return second === undefined ? [] : [{ ...column, title: title.replace("/p99", "") }]
}
