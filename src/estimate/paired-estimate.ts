import type { AnyMetric } from "../core/metric/metric.ts"
import { createRandom } from "../core/random.ts"
import type { CovariateUse } from "../core/report/comparison.ts"
import type { RowPair } from "../rows/align.ts"
import { batchesText, inBatches } from "../rows/batches.ts"
import { type PairColumns, pairsBehind } from "../rows/pair-columns.ts"
import { expandedAlpha } from "../stats/intervals/expanded-alpha.ts"
import type { PairedDifference } from "../stats/intervals/paired-difference.ts"
import type { Bounds } from "../stats/intervals/proportion-interval.ts"
import { unchangedInterval } from "../stats/intervals/unchanged-interval.ts"
import { mean, standardDeviation } from "../stats/mean.ts"
import { bcaInterval, percentileInterval } from "../stats/resampling/bootstrap-interval.ts"
import { bootstrapP } from "../stats/resampling/bootstrap-p.ts"
import { bootstrapRows, rowResamples } from "../stats/resampling/bootstrap-rows.ts"
import { bootstrapVectors, jackknifeVectors } from "../stats/resampling/bootstrap-vectors.ts"
import { numberUnits, type UnitNumbers, unitMembers } from "../stats/resampling/units.ts"
import type { LookLevels } from "../stats/sequential/look-levels.ts"
import { approximateRandomization } from "../stats/tests/approximate-randomization.ts"
import { monteCarloError } from "../stats/tests/monte-carlo-error.ts"
import { type RefinedP, refinedP } from "../stats/tests/refined-p.ts"
import { counted } from "../words/number.ts"
import { estimateMethods, estimateReasons } from "../words/reasons/estimate.ts"
import { differenceOfMeans, meanDifference, type PairedValues } from "./mean-difference.ts"
import { unitVectors } from "./unit-vectors.ts"

/** Draws of a bootstrap or randomisation over corpus metrics. */
const corpusDraws = 1000
/** Additions that further draws of a randomisation may take where p lies too near alpha. */
const maxAdditions = 100_000_000

/** The figures of both sides over the same pairs, and their difference with interval and p. */
export interface PairedEstimate extends PairedDifference {
  readonly baseline: number
  readonly candidate: number
  /** What earlier runs added, where they were asked for. */
  readonly covariate?: CovariateUse
  /** Levels of a look that was read by betting, too. */
  readonly levels?: LookLevels
}

/** The paired estimates of one metric over the same pairs, at any error rate; what does not depend on it is computed once. */
export interface PairedEstimator {
  /** With the two-sided interval at 1 − alpha and one-sided bounds at 1 − alpha each. */
  at(alpha: number): PairedEstimate
  /** The bounds that so many times as many pairs like these would have, for planning. */
  projected(alpha: number, times: number): Pick<PairedEstimate, "value" | "error" | "lowBound" | "highBound">
}

/**
 * The paired difference of a metric, candidate − baseline, by the method that its aggregation calls for. Null when either
 * side has no figure over these pairs.
 */
export function pairedEstimator(
  metric: AnyMetric,
  pairs: readonly RowPair[],
  seed: number | string,
): PairedEstimator | null {
  if (pairs.length === 0) return null
  const label = `${seed}/compare/${metric.name}`
  const columns = pairsBehind(pairs)
  const valued = [columns.baseline, columns.candidate].every(({ values }) => !values.some(Number.isNaN))
  const baseline = columns.baseline.figure(metric)
  const candidate = columns.candidate.figure(metric)
  if (baseline === null || candidate === null) return null
  const sides = { baseline, candidate }
  const bySample = sampleMeans(metric, columns)
  if (bySample) return sampleEstimator(metric, bySample, label)
  if (metric.aggregation.kind !== "mean" || !valued) return corpusEstimator(metric, columns, sides, label)
  let tested: Pick<PairedEstimate, "p" | "method"> | null = null
  return {
    at(alpha) {
      if (tested)
        return { ...meanDifference(pairs, metric.range, { alpha, seed: label, test: false }), ...sides, ...tested }
      const difference = meanDifference(pairs, metric.range, { alpha, seed: label })
      tested = { p: difference.p, method: difference.method }
      return { ...difference, ...sides }
    },
    projected: (alpha, times) => meanDifference(pairs, metric.range, { alpha, seed: label, test: false, times }),
  }
}

/** The values of samples of a figure that is their mean, on both sides; null where it is none. A sample without one on either is left out. */
function sampleMeans(
  { aggregation }: AnyMetric,
  { answers, baseline, candidate, length }: PairColumns,
): PairedValues | null {
  if (aggregation.kind !== "rows" || !aggregation.ofSample) return null
  const samples = new Map<string, number[]>()
  for (let pair = 0; pair < length; pair++) {
    const id = answers.ids[pair] as string
    const pairs = samples.get(id)
    if (pairs) pairs.push(pair)
    else samples.set(id, [pair])
  }
  const before: number[] = []
  const after: number[] = []
  const keys: string[] = []
  for (const [id, pairs] of samples) {
    const [a, b] = [baseline, candidate].map(
      (side) => aggregation.ofSample?.(pairs.map((pair) => side.row(pair))) ?? null,
    )
    if (a == null || b == null) continue
    before.push(a)
    after.push(b)
    keys.push(answers.clusterAt(pairs[0] as number) ?? id)
  }
  return { baseline: Float64Array.from(before), candidate: Float64Array.from(after), units: numberUnits(keys) }
}

function sampleEstimator({ range }: AnyMetric, values: PairedValues, seed: string): PairedEstimator | null {
  if (values.baseline.length === 0) return null
  const sides = { baseline: mean(values.baseline), candidate: mean(values.candidate) }
  return {
    at: (alpha) => ({ ...differenceOfMeans(values, { range, alpha, seed }), ...sides }),
    projected: (alpha, times) => differenceOfMeans(values, { range, alpha, seed, test: false, times }),
  }
}

function corpusEstimator(
  metric: AnyMetric,
  pairs: PairColumns,
  { baseline, candidate }: Pick<PairedEstimate, "baseline" | "candidate">,
  label: string,
): PairedEstimator {
  const { aggregation } = metric
  const estimator = (at: (alpha: number) => PairedDifference): PairedEstimator => ({
    at: (alpha) => ({ baseline, candidate, ...at(alpha) }),
    // What a bootstrap spreads by falls with the root of the number of samples.
    projected(alpha, times) {
      const { value, error, lowBound, highBound } = at(alpha)
      const nearer = (bound: number | null) => (bound === null ? null : value + (bound - value) / Math.sqrt(times))
      return {
        value,
        error: error === null ? null : error / Math.sqrt(times),
        lowBound: nearer(lowBound),
        highBound: nearer(highBound),
      }
    },
  })
  const units = pairs.units()
  const random = createRandom(label)
  const value = candidate - baseline
  const over = `${counted(units.count, isSingle(units) ? "sample" : "cluster")}${batchesText(units)}`
  if (aggregation.kind === "sum") {
    const batches = inBatches(units, label)
    const rowsA = unitVectors(aggregation, pairs.baseline.row, batches)
    const rowsB = unitVectors(aggregation, pairs.candidate.row, batches)
    const both = sideBySide(rowsA.data, rowsB.data, aggregation.size)
    const score = (sum: Float64Array) =>
      aggregation.score(sum.subarray(aggregation.size)) - aggregation.score(sum.subarray(0, aggregation.size))
    const distribution = bootstrapVectors(both, score, corpusDraws, random).filter(Number.isFinite)
    const jackknife = jackknifeVectors(both, score)
    const test = (draws: number) => {
      const stream = random.fork(draws === corpusDraws ? "randomisation" : `randomisation/${draws}`)
      return approximateRandomization(rowsA, rowsB, aggregation.score, stream, draws)
    }
    const max = maxAdditions / Math.max(1, rowsA.data.length)
    let p: ReturnType<typeof refinedP> | null = null
    return estimator((alpha) => {
      p ??= refinedP(test, { alpha, draws: corpusDraws, most: max })
      const method = estimateMethods.corpusDifference(corpusDraws, p.draws, over)
      return fromDistribution(distribution, jackknife, value, p, units, metric.range, alpha, method)
    })
  }
  const resamples = rowResamples(2 * pairs.length, aggregation.kind === "rows" ? aggregation.resamples : undefined)
  const [entriesA, entriesB] = [[...pairs.baseline.entries], [...pairs.candidate.entries]]
  const figure = (entries: typeof entriesA, positions: readonly number[]) =>
    metric.summarise(positions.map((i) => entries[i] as (typeof entries)[number])).value ?? Number.NaN
  const distribution = bootstrapRows(
    unitMembers(units),
    (positions) => figure(entriesB, positions) - figure(entriesA, positions),
    resamples,
    random,
  ).filter(Number.isFinite)
  const method = estimateMethods.rowDifference(over, distribution.length)
  const draws = distribution.length
  const share = draws === 0 ? 1 : bootstrapP(distribution, value)
  const p = { p: share, draws, error: draws === 0 ? 0 : monteCarloError(share, draws) }
  return estimator((alpha) => fromDistribution(distribution, null, value, p, units, metric.range, alpha, method))
}

function fromDistribution(
  distribution: Float64Array,
  jackknife: Float64Array | null,
  value: number,
  { p, error: pError }: RefinedP,
  units: UnitNumbers,
  range: readonly [number, number],
  alpha: number,
  method: string,
): PairedDifference {
  const error = distribution.length < 2 ? 0 : standardDeviation(distribution)
  const noDifference = { value, error: null, low: null, high: null, lowBound: null, highBound: null, p: null }
  const counts = { units: units.count, single: isSingle(units), unchanged: false }
  if (units.count < 2) return { ...noDifference, ...counts, method: estimateReasons.singleUnit(method) }
  if (error === 0) return { ...noDifference, ...counts, ...unmoved(value, units.count, range, alpha), p: 1, method }
  const interval = (nominal: number): Bounds => {
    const level = expandedAlpha(nominal, units.count)
    const bca = jackknife?.every(Number.isFinite) ? bcaInterval(distribution, value, jackknife, level) : null
    return bca && Number.isFinite(bca.low) && Number.isFinite(bca.high) ? bca : percentileInterval(distribution, level)
  }
  const oneSided = interval(2 * alpha)
  return {
    value,
    error,
    ...interval(alpha),
    lowBound: oneSided.low,
    highBound: oneSided.high,
    p,
    pError,
    ...counts,
    method: `${method}, p ± ${Number(pError.toPrecision(2))}`,
  }
}

/** Whether every unit is one pair. */
function isSingle({ of, count }: UnitNumbers): boolean {
  return count === of.length
}

/** Bounds of a corpus figure that no resample moves: as if the samples that could differ moved it by their share. */
function unmoved(value: number, n: number, range: readonly [number, number], alpha: number) {
  const width = range[1] - range[0]
  const two = unchangedInterval(value, n, [-width, width], alpha)
  const bounds = unchangedInterval(value, n, [-width, width], 2 * alpha)
  const finite = (bound: number) => (Number.isFinite(bound) ? bound : null)
  return {
    unchanged: true,
    low: finite(two.low),
    high: finite(two.high),
    lowBound: finite(bounds.low),
    highBound: finite(bounds.high),
  }
}

/** The vectors of both sides of each unit, one after the other in one row. */
export function sideBySide(a: Float64Array, b: Float64Array, size: number) {
  const n = a.length / size
  const data = new Float64Array(2 * a.length)
  for (let i = 0; i < n; i++) {
    data.set(a.subarray(i * size, (i + 1) * size), 2 * i * size)
    data.set(b.subarray(i * size, (i + 1) * size), (2 * i + 1) * size)
  }
  return { data, size: 2 * size }
}
