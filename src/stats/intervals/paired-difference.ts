import { createRandom } from "../../core/random.ts"
import { statisticMethods } from "../../words/reasons/statistics.ts"
import { numberUnits, type UnitNumbers, unitSums } from "../resampling/units.ts"
import { roundedDifferences } from "../rounded.ts"
import { mcnemarExact } from "../tests/mcnemar.ts"
import { signFlipTest } from "../tests/permutation.ts"
import { refinedP } from "../tests/refined-p.ts"
import type { BoundWarning } from "./mean-bound.ts"
import { pairedBound } from "./paired-bound.ts"

/** A paired difference (second − first) with its interval. @public */
export interface PairedDifference {
  readonly value: number
  /** Standard error; null when one unit cannot give one. */
  readonly error: number | null
  /** Two-sided (1 − alpha) interval; null where nothing bounds it. */
  readonly low: number | null
  readonly high: number | null
  /** One-sided (1 − alpha) bounds: what a margin is compared with. */
  readonly lowBound: number | null
  readonly highBound: number | null
  /** Two-sided; null where no test applies. */
  readonly p: number | null
  /** Standard error of p where it was found with random draws; absent where it is exact. */
  readonly pError?: number
  /** Independent units: samples, or clusters. */
  readonly units: number
  /** Whether every unit is one pair. */
  readonly single: boolean
  /** Whether every pair has the same difference. */
  readonly unchanged: boolean
  readonly method: string
  /** As many units of equal size would weigh the same; absent where units were not weighed. */
  readonly effectiveUnits?: number
  readonly warnings?: readonly BoundWarning[]
  /** Why nothing may be decided from these pairs; the one-sided bounds are then null. */
  readonly abstain?: string
}

/** Options of {@link pairedMeanDifference}. @public */
export interface PairedDifferenceOptions {
  /** Smallest and largest possible value of either side. */
  readonly range: readonly [number, number]
  readonly alpha?: number
  /** Seed of the permutation test where it is not exact; bounds draw nothing. */
  readonly seed: number | string
  /** false leaves the permutation test out where only the interval is wanted. */
  readonly test?: boolean
  /** As if there were this many times as many pairs like these, for planning; 1 by default. */
  readonly times?: number
}

/**
 * Mean difference of paired values: the bounds of {@link pairedBound}, and McNemar's exact p for independent pairs of 0 and 1,
 * a sign-flip permutation p over units for everything else.
 *
 * @param first values of the baseline; @param second values of the candidate, same order
 * @param keys unit of each pair (its cluster, or its sample), by name or numbered
 * @public
 */
export function pairedMeanDifference(
  first: Float64Array,
  second: Float64Array,
  keys: readonly string[] | UnitNumbers,
  { range, alpha = 0.05, seed, test = true, times = 1 }: PairedDifferenceOptions,
): PairedDifference {
  const differences = roundedDifferences(second.map((value, i) => value - (first[i] as number)))
  const units = "of" in keys ? keys : numberUnits(keys)
  const { sums, single } = unitSums(differences, units)
  const bound = pairedBound(differences, { range, clusters: single ? undefined : units, alpha, times })
  const binary = single && [first, second].every((side) => side.every((value) => value === 0 || value === 1))
  const tested = test && bound.n > 0 ? pairedP(differences, sums, binary, seed, alpha) : null
  const abstains = bound.abstain !== undefined
  return {
    value: bound.value,
    error: bound.error,
    low: bound.low,
    high: bound.high,
    lowBound: abstains ? null : bound.lowBound,
    highBound: abstains ? null : bound.highBound,
    p: abstains && bound.clusters < 2 ? null : (tested?.p ?? null),
    ...(tested && tested.error > 0 && { pError: tested.error }),
    units: bound.clusters,
    single,
    unchanged: differences.every((d) => d === differences[0]),
    method: tested ? `${bound.method}, ${tested.name}` : bound.method,
    effectiveUnits: bound.effectiveClusters,
    warnings: bound.warnings,
    ...(bound.abstain === undefined ? {} : { abstain: bound.abstain }),
  }
}

/** Draws of a sign-flip test at first, and additions that more of them may take where p lies too near alpha. */
const flips = { draws: 10_000, maxAdditions: 20_000_000 }

function pairedP(differences: Float64Array, sums: Float64Array, binary: boolean, seed: number | string, alpha: number) {
  if (binary) {
    const lost = differences.reduce((count, d) => count + Number(d < 0), 0)
    const won = differences.reduce((count, d) => count + Number(d > 0), 0)
    return { p: mcnemarExact(lost, won), error: 0, name: "exact McNemar p" }
  }
  const first = signFlipTest(sums, createRandom(`${seed}/permutation`), flips.draws)
  if (first.method !== "monte_carlo") {
    const how = { exact: "exact", normal: "normal" }[first.method]
    return { p: first.p, error: 0, name: `${how} sign-flip p` }
  }
  const test = (draws: number) =>
    draws === flips.draws ? first.p : signFlipTest(sums, createRandom(`${seed}/permutation/${draws}`), draws).p
  const { p, error, draws } = refinedP(test, { alpha, draws: flips.draws, most: flips.maxAdditions / sums.length })
  return { p, error, name: statisticMethods.signFlip(draws) }
}
