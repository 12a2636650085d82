import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricRow } from "../../core/metric/scored-variant.ts"
import type { UnscoredCode } from "../../core/metric/unscored-code.ts"
import type { MissingRule } from "../../core/report/comparison.ts"
import { type AlignedRows, alignRows, type RowPair } from "./align.ts"
import { failedAnswer } from "./count-failures.ts"
import { bySample } from "./pairs/by-sample.ts"

/**
 * Why a row has no score. `failed`: the variant did not deliver an answer that can be scored. `unmeasured`: it is unknown how
 * good the answer is. `not_asked`: the sample was not asked, or not yet; that says nothing about the variant.
 */
export type Gap = "failed" | "unmeasured" | "not_asked"

/** What a missing row says: a sample that was not asked, or an answer that a file lacks. */
export type AbsentRows = Extract<Gap, "unmeasured" | "not_asked">

/** How gaps are treated. */
export interface GapOptions {
  readonly missing: MissingRule
  readonly absentRows: AbsentRows
}

/** Rows aligned with gaps counted as the worst value. */
export interface CountedRows {
  /** Pairs with a score on both sides. */
  readonly complete: AlignedRows
  /** The same, and every pair of which one side has a gap that counts. */
  readonly all: readonly RowPair[]
  /** As `all`, without the gaps that are no failures. */
  readonly failuresOnly: readonly RowPair[]
  readonly failedBaseline: number
  readonly failedCandidate: number
  readonly unmeasuredBaseline: number
  readonly unmeasuredCandidate: number
  /** The value that a gap counts with; null when none counts. */
  readonly countedAs: number | null
  readonly countedFrom: "range" | "observed"
}

/** Codes of what the variant failed to deliver, and of answers that were not to be scored. */
const failures: ReadonlySet<UnscoredCode> = new Set(["failed", "no_output", "empty_output", "no_sentence", "unread"])
const notToScore: ReadonlySet<UnscoredCode> = new Set(["not_yet", "not_drawn", "other_condition", "other_kind"])

/** Why a row has no score; null when it has one. */
export function gapOf(row: MetricRow | undefined, absentRows: AbsentRows): Gap | null {
  if (!row) return absentRows
  if (row.measured.status === "scored") return null
  const { code } = row.measured
  if (notToScore.has(code)) return "not_asked"
  return failures.has(code) ? "failed" : "unmeasured"
}

/**
 * Aligns rows and counts a gap of one side as the worst value that the metric can have (the worst that was observed where it
 * has no such end): an answer that did not arrive is a loss for its user. A pair without a score on either side
 * says nothing and is left out.
 */
export function countRows(
  metric: AnyMetric,
  baseline: readonly MetricRow[],
  candidate: readonly MetricRow[],
  { missing, absentRows }: GapOptions,
): CountedRows {
  const complete = alignRows(baseline, candidate)
  const { worst, from } = worstValue(metric, baseline, candidate)
  const rowsA = byKey(baseline)
  const rowsB = byKey(candidate)
  const filled: { readonly pair: RowPair; readonly gap: Gap; readonly side: "baseline" | "candidate" }[] = []
  const add = (row: MetricRow, partner: MetricRow | undefined, side: "baseline" | "candidate") => {
    const gap = gapOf(partner, absentRows)
    if (gap === null || gap === "not_asked") return
    const { sampleId, repeat, cluster } = row
    const lost: MetricRow = { sampleId, repeat, measured: { status: "scored", row: failedAnswer }, value: worst }
    const sides = side === "candidate" ? { baseline: row, candidate: lost } : { baseline: lost, candidate: row }
    filled.push({ pair: { sampleId, repeat, ...sides, ...(cluster === undefined ? {} : { cluster }) }, gap, side })
  }
  for (const row of complete.onlyBaseline) add(row, rowsB.get(keyOf(row)), "candidate")
  for (const row of complete.onlyCandidate) add(row, rowsA.get(keyOf(row)), "baseline")
  const count = (gap: Gap, side: "baseline" | "candidate") =>
    filled.filter((one) => one.gap === gap && one.side === side).length
  const counts = missing === "worst" && worst !== null && filled.length > 0
  const withPairs = (more: readonly RowPair[]) =>
    counts && more.length > 0 ? [...complete.pairs, ...more].sort(bySample) : complete.pairs
  return {
    complete,
    all: withPairs(filled.map(({ pair }) => pair)),
    failuresOnly: withPairs(filled.flatMap(({ pair, gap }) => (gap === "failed" ? [pair] : []))),
    failedBaseline: count("failed", "baseline"),
    failedCandidate: count("failed", "candidate"),
    unmeasuredBaseline: count("unmeasured", "baseline"),
    unmeasuredCandidate: count("unmeasured", "candidate"),
    countedAs: counts ? worst : null,
    countedFrom: from,
  }
}

/** The worst end of the metric's range, else the worst value that any row has; null when there is neither. */
export function worstValue(
  { range, direction }: AnyMetric,
  ...sides: readonly (readonly MetricRow[])[]
): { readonly worst: number | null; readonly from: "range" | "observed" } {
  const end = direction === "higher" ? range[0] : range[1]
  if (Number.isFinite(end)) return { worst: end, from: "range" }
  let worst: number | null = null
  for (const rows of sides)
    for (const { value } of rows) {
      if (value === null || !Number.isFinite(value)) continue
      if (worst === null || (direction === "higher" ? value < worst : value > worst)) worst = value
    }
  return { worst, from: "observed" }
}

function byKey(rows: readonly MetricRow[]): ReadonlyMap<string, MetricRow> {
  const gaps = rows.filter(({ measured }) => measured.status !== "scored")
  return new Map(gaps.map((row) => [keyOf(row), row]))
}

function keyOf({ sampleId, repeat }: MetricRow): string {
  return `${repeat}\u0000${sampleId}`
}
