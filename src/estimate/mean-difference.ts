import type { RowPair } from "../rows/align.ts"
import { pairsBehind } from "../rows/pair-columns.ts"
import type { BoundWarning } from "../stats/intervals/paired-bound.ts"
import {
  type PairedDifference,
  type PairedDifferenceOptions,
  pairedMeanDifference,
} from "../stats/intervals/paired-difference.ts"
import type { UnitNumbers } from "../stats/resampling/units.ts"

const warningWords: Readonly<Record<BoundWarning, string>> = {
  few_clusters: "fewer than 20 effective clusters",
  one_large_cluster: "one cluster holds more than a quarter of the pairs",
}

/** What warnings of the bounds say to a reader: one text of all of them, for what follows from them is the same. */
export function warningTexts(warnings: readonly BoundWarning[]): readonly string[] {
  if (warnings.length === 0) return []
  return [`${warnings.map((one) => warningWords[one]).join(", and ")}, so that the bounds, which hold, are wide`]
}

/**
 * The mean of candidate − baseline over pairs that have values, by {@link pairedMeanDifference}. Values that lie outside the
 * metric's range take the range away: a bound must not depend on limits that do not hold.
 *
 * @param test false leaves the permutation test out
 */
export function meanDifference(
  pairs: readonly RowPair[],
  range: readonly [number, number],
  options: Omit<PairedDifferenceOptions, "range">,
): PairedDifference {
  const { baseline, candidate, units } = pairsBehind(pairs)
  return differenceOfMeans(
    { baseline: baseline.values, candidate: candidate.values, units: units() },
    { ...options, range },
  )
}

/** Values of both sides, and what each pair is resampled with. */
export interface PairedValues {
  readonly baseline: Float64Array
  readonly candidate: Float64Array
  readonly units: UnitNumbers
}

/** {@link meanDifference} of lists of values. */
export function differenceOfMeans(
  { baseline, candidate, units }: PairedValues,
  { range, ...options }: PairedDifferenceOptions,
): PairedDifference {
  const inside = (value: number) => value >= range[0] && value <= range[1]
  const limits: readonly [number, number] =
    baseline.every(inside) && candidate.every(inside) ? range : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  return pairedMeanDifference(baseline, candidate, units, { ...options, range: limits })
}
