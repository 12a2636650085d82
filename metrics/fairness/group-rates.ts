import type { RowEntry } from "../../src/core/metric/metric.ts"

/** One decision: the group that it concerns, the truth, and what was decided. @public */
export type DecisionRow = {
  readonly group: string
  /** Whether the positive outcome was right; null where only the decision is known. */
  readonly label: boolean | null
  readonly prediction: boolean
}

/** Counts of one group. */
export interface GroupCounts {
  truePositives: number
  falsePositives: number
  trueNegatives: number
  falseNegatives: number
  /** Decisions, with or without a label. */
  count: number
  /** Positive decisions. */
  selected: number
}

/** Rates of one group, 0..1. As in fairlearn, a rate over no cases (no positives, no negatives) is 0. */
export interface GroupRates {
  readonly count: number
  readonly selectionRate: number
  readonly truePositiveRate: number
  readonly falsePositiveRate: number
  readonly accuracy: number
}

/** Groups with fewer decisions than this are named as too small to judge. */
export const smallGroup = 30

/** Counts decisions by group, in the groups' alphabetical order. */
export function countByGroup(rows: readonly RowEntry<DecisionRow>[]): Map<string, GroupCounts> {
  const counts = new Map<string, GroupCounts>()
  for (const { row } of rows) {
    const existing = counts.get(row.group) ?? emptyCounts()
    counts.set(row.group, existing)
    existing.count++
    if (row.prediction) existing.selected++
    if (row.label === null) continue
    if (row.label) row.prediction ? existing.truePositives++ : existing.falseNegatives++
    else row.prediction ? existing.falsePositives++ : existing.trueNegatives++
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Rates of a group from its counts. */
export function ratesOf(counts: GroupCounts): GroupRates {
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = counts
  const rate = (part: number, of: number): number => (of === 0 ? 0 : part / of)
  return {
    count: counts.count,
    selectionRate: rate(counts.selected, counts.count),
    truePositiveRate: rate(truePositives, truePositives + falseNegatives),
    falsePositiveRate: rate(falsePositives, falsePositives + trueNegatives),
    accuracy: rate(truePositives + trueNegatives, truePositives + falsePositives + trueNegatives + falseNegatives),
  }
}

/** Largest minus smallest. */
export function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values)
}

/** Smallest over largest; NaN when all are 0. */
export function shareOfLargest(values: readonly number[]): number {
  return Math.min(...values) / Math.max(...values)
}

function emptyCounts(): GroupCounts {
  return { truePositives: 0, falsePositives: 0, trueNegatives: 0, falseNegatives: 0, count: 0, selected: 0 }
}
