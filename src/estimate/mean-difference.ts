import type { RowPair } from "../rows/align.ts"
import { pairsBehind } from "../rows/pair-columns.ts"
import {
  type PairedDifference,
  type PairedDifferenceOptions,
  pairedMeanDifference,
} from "../stats/intervals/paired-difference.ts"
import type { UnitNumbers } from "../stats/resampling/units.ts"

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
