import type { AnyMetric, Measured, MetricRow } from "../core/metric/metric.ts"
import type { UnscoredCode } from "../core/metric/unscored-code.ts"
import type { MissingRule } from "../core/report/comparison.ts"
import { type AlignedRows, alignedRows, alignPlaces, evenRepeats, numbersWhere, type RowPair } from "./align.ts"
import { type MetricRows, rowsBehind } from "./columns/metric-rows.ts"
import { alignedPairs, failedPlace } from "./pair-columns.ts"

/**
 * Why a row has no score. `failed`: the variant did not deliver an answer that can be scored. `unmeasured`: it is unknown how
 * good the answer is. `not_asked`: the sample was not asked, or not yet; that says nothing about the variant.
 * @experimental
 */
export type Gap = "failed" | "unmeasured" | "not_asked"

/** What a missing row says: a sample that was not asked, or an answer that a file lacks. @experimental */
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
  /** The same, and every pair of which a side has a gap that counts. */
  readonly all: readonly RowPair[]
  /** As `all`, without the gaps that are no failures. */
  readonly failuresOnly: readonly RowPair[]
  readonly failedBaseline: number
  readonly failedCandidate: number
  /** Answers that failed on both sides. */
  readonly failedBoth: number
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
  return row ? gapOfMeasured(row.measured) : absentRows
}

/** {@link gapOf} of a row that is there. */
export function gapOfMeasured(measured: Measured<unknown>): Gap | null {
  if (measured.status === "scored") return null
  const { code } = measured
  if (notToScore.has(code)) return "not_asked"
  return failures.has(code) ? "failed" : "unmeasured"
}

/**
 * Aligns rows and counts a gap of one side as the worst value that the metric can have (the worst that was observed where it
 * has no such end): an answer that did not arrive is a loss for its user, on both sides where both failed. Any other pair without a
 * score on either side says nothing and is left out. A sample is the mean of its own repeats, however many each side has.
 */
export function countRows(
  metric: AnyMetric,
  baseline: readonly MetricRow[],
  candidate: readonly MetricRow[],
  { missing, absentRows }: GapOptions,
): CountedRows {
  const [before, after] = [rowsBehind(baseline), rowsBehind(candidate)]
  const all = alignPlaces(before, after)
  const aligned = metric.aggregation.kind === "mean" ? evenRepeats(all) : all
  const complete = alignedRows(aligned)
  const { worst, from } = worstValue(metric, baseline, candidate)
  const { a, b } = aligned
  /** Of each answer the gap that counts, and 0 where both sides have a score; see {@link gapCodes}. */
  const gaps = new Uint8Array(a.length)
  const counts = { failedBaseline: 0, failedCandidate: 0, failedBoth: 0, unmeasuredBaseline: 0, unmeasuredCandidate: 0 }
  /** Answers that were counted: one may stand in several pairs. */
  const counted = new Set<string>()
  for (let i = 0; i < a.length; i++) {
    const [placeA, placeB] = [a[i] as number, b[i] as number]
    const gapA = gapAt(before, placeA, absentRows)
    const gapB = gapAt(after, placeB, absentRows)
    const isBoth = gapA === "failed" && gapB === "failed"
    const gap = gapA && gapB && !isBoth ? "not_asked" : (gapA ?? gapB)
    if (gap === null) continue
    gaps[i] = gapCodes[gap]
    if (aligned.isRepeated) {
      const isOfA = gapA ? placeA >= 0 : placeB < 0
      const answer = isOfA ? `a${placeA}` : `b${placeB}`
      if (counted.has(answer)) continue
      counted.add(answer)
    }
    if (isBoth) counts.failedBoth++
    else if (gap === "failed") counts[gapA ? "failedBaseline" : "failedCandidate"]++
    else if (gap === "unmeasured") counts[gapA ? "unmeasuredBaseline" : "unmeasuredCandidate"]++
  }
  const filled = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const isCounted = missing === "worst" && worst !== null && filled > 0
  const withPairs = (max: number, more: number) => {
    if (!isCounted || more === 0) return complete.pairs
    const used = numbersWhere(gaps.length, (i) => (gaps[i] as number) <= max)
    const places = {
      baseline: used.map((i) => scoredPlace(before, a[i] as number)),
      candidate: used.map((i) => scoredPlace(after, b[i] as number)),
      isRepeated: aligned.isRepeated ?? false,
    }
    return alignedPairs(before, after, places, worst)
  }
  return {
    complete,
    all: withPairs(gapCodes.unmeasured, filled),
    failuresOnly: withPairs(gapCodes.failed, counts.failedBaseline + counts.failedCandidate + counts.failedBoth),
    ...counts,
    countedAs: isCounted ? worst : null,
    countedFrom: from,
  }
}

/** Gaps by what is left out first. */
const gapCodes: Readonly<Record<Gap, number>> = { failed: 1, unmeasured: 2, not_asked: 3 }

function gapAt(rows: MetricRows, index: number, absentRows: AbsentRows): Gap | null {
  if (index < 0) return absentRows
  return rows.isScored(index) ? null : gapOfMeasured(rows.measured(index))
}

function scoredPlace(rows: MetricRows, index: number): number {
  return index < 0 || rows.isScored(index) ? index : failedPlace(index)
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
    for (const value of rowsBehind(rows).values) {
      if (!Number.isFinite(value)) continue
      if (worst === null || (direction === "higher" ? value < worst : value > worst)) worst = value
    }
  return { worst, from: "observed" }
}
