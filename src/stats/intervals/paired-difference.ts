import { createRandom } from "../../core/random.ts"
import { bcaInterval } from "../resampling/bootstrap-interval.ts"
import { bootstrapMeans, jackknifeMeans } from "../resampling/bootstrap-mean.ts"
import { groupUnits, type Units, unitStandardError } from "../resampling/units.ts"
import { mcnemarExact } from "../tests/mcnemar.ts"
import { signFlipTest } from "../tests/permutation.ts"
import { expandedAlpha } from "./expanded-alpha.ts"
import type { Bounds } from "./proportion-interval.ts"
import { studentInterval } from "./student-interval.ts"
import { tangoInterval } from "./tango-interval.ts"
import { unchangedInterval } from "./unchanged-interval.ts"

/** Fewer units than this get Student's t: the bootstrap's intervals are too short for them. */
export const bootstrapFrom = 40
const mostResamples = 10_000
const fewestResamples = 2000
/** Draws of one bootstrap, at most: more pairs than 100,000 get fewer resamples, and at least 2,000. */
const drawBudget = 1_000_000_000

/** A paired difference (second − first) with its interval. */
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
  /** Independent units: samples, or clusters. */
  readonly units: number
  /** Whether every unit is one pair. */
  readonly single: boolean
  /** Whether every pair has the same difference. */
  readonly unchanged: boolean
  readonly method: string
}

/** Options of {@link pairedMeanDifference}. */
export interface PairedDifferenceOptions {
  /** Smallest and largest possible value of either side. */
  readonly range: readonly [number, number]
  readonly alpha?: number
  readonly seed: number | string
  /** false leaves the permutation test out where only the interval is wanted. */
  readonly test?: boolean
}

/**
 * Mean difference of paired values. Independent 0/1 values: Tango's score interval and McNemar's exact p. Everything
 * else: BCa bootstrap over units (Student t under 40 units, with the clustered standard error) and a sign-flip
 * permutation p over units. When every difference is the same, the bound of {@link unchangedInterval}.
 *
 * @param first values of the baseline; @param second values of the candidate, same order
 * @param keys unit of each pair (its cluster, or its sample)
 */
export function pairedMeanDifference(
  first: Float64Array,
  second: Float64Array,
  keys: readonly string[],
  { range, alpha = 0.05, seed, test = true }: PairedDifferenceOptions,
): PairedDifference {
  const differences = second.map((value, i) => value - (first[i] as number))
  const units = groupUnits(differences, keys)
  const rates = range[0] === 0 && range[1] === 1
  const binary = rates && [first, second].every((side) => side.every((value) => value === 0 || value === 1))
  if (binary && units.single) return binaryDifference(differences, alpha)
  return generalDifference(differences, units, range, alpha, seed, test)
}

function binaryDifference(differences: Float64Array, alpha: number): PairedDifference {
  const n = differences.length
  const lost = differences.reduce((count, d) => count + Number(d < 0), 0)
  const won = differences.reduce((count, d) => count + Number(d > 0), 0)
  const oneSided = tangoInterval(lost, won, n, 2 * alpha)
  return {
    value: (won - lost) / n,
    error: n < 2 ? null : Math.sqrt((lost + won - (won - lost) ** 2 / n) / (n - 1) / n),
    ...tangoInterval(lost, won, n, alpha),
    lowBound: oneSided.low,
    highBound: oneSided.high,
    p: mcnemarExact(lost, won),
    units: n,
    single: true,
    unchanged: lost + won === 0 || lost === n || won === n,
    method: "paired rates, Tango's score interval, exact McNemar p",
  }
}

function generalDifference(
  differences: Float64Array,
  units: Units,
  range: readonly [number, number],
  alpha: number,
  seed: number | string,
  test: boolean,
): PairedDifference {
  const count = units.sums.length
  let sum = 0
  for (const d of differences) sum += d
  const unchanged = differences.every((d) => d === differences[0])
  const value = unchanged ? (differences[0] as number) : sum / differences.length
  const over = units.single ? `${count} pairs` : `${count} clusters`
  const facts = { value, units: count, single: units.single, unchanged }
  if (count < 2) {
    const open = { error: null, low: null, high: null, lowBound: null, highBound: null, p: null }
    return { ...facts, ...open, method: "one pair, which bounds nothing" }
  }
  const resamples = Math.max(fewestResamples, Math.min(mostResamples, Math.floor(drawBudget / count)))
  const permutation = test ? signFlipTest(units.sums, createRandom(`${seed}/permutation`), resamples) : null
  const tested = permutation ? `, ${permutation.method === "exact" ? "exact" : "Monte Carlo"} sign-flip p` : ""
  const error = unitStandardError(units)
  const build = (interval: (level: number) => Bounds, method: string): PairedDifference => {
    const two = interval(alpha)
    const one = interval(2 * alpha)
    const finite = (bound: number) => (Number.isFinite(bound) ? bound : null)
    return {
      ...facts,
      error,
      low: finite(two.low),
      high: finite(two.high),
      lowBound: finite(one.low),
      highBound: finite(one.high),
      p: permutation?.p ?? null,
      method: `${method} over ${over}${tested}`,
    }
  }
  if (error === 0 || unchanged) {
    const width = range[1] - range[0]
    return build((level) => unchangedInterval(value, count, [-width, width], level), "paired mean that never varies")
  }
  const clustered = units.single ? "" : " with clustered errors"
  const student = (level: number) => studentInterval(value, error, count - 1, level)
  if (count < bootstrapFrom) return build(student, `paired mean, Student t${clustered}`)
  const sizes = units.single ? undefined : units.sizes
  const distribution = bootstrapMeans(units.sums, resamples, createRandom(`${seed}/bootstrap`), sizes)
  const jackknife = jackknifeMeans(units.sums, sizes)
  const interval = (level: number) => bcaInterval(distribution, value, jackknife, expandedAlpha(level, count))
  return build(interval, `paired mean, BCa bootstrap (${resamples} resamples)`)
}
