import type { JsonValue } from "../core/json.ts"
import type { AnyMetric, MetricRow, RowEntry, Summary } from "../core/metric/metric.ts"
import { createRandom } from "../core/random.ts"
import type { MissingRule } from "../core/report/comparison.ts"
import { type KnownFigure, unknown } from "../core/report/figure.ts"
import type { QualityFigure } from "../core/report/report.ts"
import { batchesText, inBatches } from "../rows/batches.ts"
import { type MetricRows, rowsBehind } from "../rows/columns/metric-rows.ts"
import { entriesAt, scoredPlaces, summaryOf } from "../rows/columns/scored-rows.ts"
import { mainReason } from "../rows/entries.ts"
import { expandedAlpha } from "../stats/intervals/expanded-alpha.ts"
import { meanIntervalOfUnits } from "../stats/intervals/mean-interval.ts"
import { type RepeatVariance, repeatVariance } from "../stats/intervals/repeat-variance.ts"
import { bcaInterval, percentileInterval } from "../stats/resampling/bootstrap-interval.ts"
import { bootstrapRows, rowResamples } from "../stats/resampling/bootstrap-rows.ts"
import { bootstrapVectors, jackknifeVectors } from "../stats/resampling/bootstrap-vectors.ts"
import { type UnitNumbers, unitMembers, unitSums } from "../stats/resampling/units.ts"
import { speedReasons } from "../words/perf/speed.ts"
import { estimateMethods, estimateReasons } from "../words/reasons/estimate.ts"
import { type CountedQuality, countedQuality } from "./counted-rows.ts"
import { unitVectors } from "./unit-vectors.ts"

/** Resamples of a metric over summed vectors. */
const vectorResamples = 1000

/** Options of {@link qualityFigure}. @experimental */
export interface IntervalOptions {
  readonly seed: number | string
  /** 1 − confidence; 0.05 by default. */
  readonly alpha?: number
  /** What an answer that failed counts as: the worst value by default. */
  readonly missing?: MissingRule
}

/**
 * A metric over one variant: the number, what the metric says besides, and where its variance comes from.
 * @experimental
 */
export interface QualityResult extends Pick<QualityFigure, "figure" | "answered" | "failed"> {
  /** What the metric says, or `{ variance }` where it says nothing and samples were repeated. */
  readonly details: JsonValue
  /** Null without repeats. */
  readonly variance: RepeatVariance | null
}

/** Scored rows of one metric in the order of sample id and repeat, however they are kept. */
export interface ScoredRows {
  readonly entries: readonly RowEntry<unknown>[]
  /** `metric.value` of a row. */
  value(i: number): number | null
  /** What each row is resampled with: its cluster, or its sample with its repeats. */
  readonly units: UnitNumbers
  /** Whether a sample has several rows. */
  readonly repeated: boolean
}

/**
 * {@link scoredFigure} of what a variant was asked, failures counted as the worst value, and of what it answered; the rows may lie in
 * any order.
 * @experimental
 */
export function qualityFigure(metric: AnyMetric, list: readonly MetricRow[], options: IntervalOptions): QualityResult {
  const asked = countedQuality(metric, list, options.missing)
  const answered = figureOfRows(metric, rowsBehind(list), options)
  return askedResult(answered, asked, () => figureOfRows(asked.metric, asked.rows, options))
}

/** What was answered, and, where failures are counted, what was asked. */
export function askedResult(
  answered: QualityResult,
  { failed, countedAs }: Pick<CountedQuality, "failed" | "countedAs">,
  ofAsked: () => QualityResult,
): QualityResult {
  if (failed === 0) return answered
  if (countedAs !== null) return { ...ofAsked(), details: answered.details, failed, answered: answered.figure }
  const { figure } = answered
  if (figure.status === "unknown") return { ...answered, failed }
  const warning = estimateMethods.failedLeftOut(failed, figure.n + failed)
  return {
    ...answered,
    failed,
    figure: { ...figure, warning: figure.warning ? `${figure.warning}; ${warning}` : warning },
  }
}

function figureOfRows(metric: AnyMetric, rows: MetricRows, options: IntervalOptions): QualityResult {
  const summary = summaryOf(metric, rows, { alpha: options.alpha ?? 0.05 })
  if (summary === null) return nothingScored(rows.length, mainReason(rows))
  const positions = scoredPlaces(rows)
  const at = (i: number) => (positions ? (positions[i] as number) : i)
  const { answers, values } = rows
  return scoredFigure(
    metric,
    {
      entries: entriesAt(rows, positions),
      value(i) {
        const value = values[at(i)] as number
        return Number.isNaN(value) ? null : value
      },
      units: positions && rows.scored < rows.length ? answers.units(positions) : answers.units(),
      repeated: hasRepeats(answers.ids, positions, rows.scored),
    },
    options,
    summary,
  )
}

function hasRepeats(ids: readonly string[], positions: Int32Array | null, count: number): boolean {
  const at = (i: number) => ids[positions ? (positions[i] as number) : i]
  for (let i = 1; i < count; i++) if (at(i) === at(i - 1)) return true
  return false
}

/**
 * The figure of a metric over a variant's rows with its interval: Wilson or Student t for means (clustered by `cluster`,
 * with repeats as a level below the samples), BCa bootstrap over summed vectors, bootstrap through `summarise` for
 * everything else, or the metric's own interval. Unknown, with the reason, when the metric has none.
 */
export function scoredFigure(
  metric: AnyMetric,
  rows: ScoredRows,
  options: IntervalOptions,
  summary: Summary = metric.summarise(rows.entries, { alpha: options.alpha ?? 0.05 }),
): QualityResult {
  const details = summary.details ?? null
  if (summary.value === null || !Number.isFinite(summary.value))
    return { ...noFigure(summary.reason ?? estimateReasons.undefinedFigure), details }
  const interval = summary.interval ?? chooseInterval(metric, rows, summary.value, options)
  const figure: KnownFigure = { status: "known", value: summary.value, n: rows.entries.length, ...interval }
  const variance = splitVariance(metric, rows)
  return { figure, details: details ?? (variance && { variance: { ...variance } }), variance }
}

/** What there is to say when no row of `total` is scored, and why most of them are not. */
export function nothingScored(total: number, reason: string | null): QualityResult {
  return noFigure(total === 0 ? speedReasons.nothingMeasured : estimateReasons.nothingScored(reason))
}

type Interval = Pick<KnownFigure, "low" | "high" | "method" | "warning">

function chooseInterval(
  metric: AnyMetric,
  rows: ScoredRows,
  value: number,
  { seed, alpha = 0.05 }: IntervalOptions,
): Interval {
  const { aggregation } = metric
  const { entries, units } = rows
  const numbers = aggregation.kind === "mean" ? valuesOf(rows) : null
  if (numbers) {
    const { low, high, method } = meanIntervalOfUnits(numbers, unitSums(numbers, units), metric.range, alpha)
    return { low, high, method }
  }
  if (units.count < 2) return { low: null, high: null, method: "one sample", warning: estimateReasons.singleSample }
  const random = createRandom(`${seed}/interval/${metric.name}`)
  const over = `bootstrap over ${units.count} ${units.count === entries.length ? "samples" : "clusters"}`
  const level = expandedAlpha(alpha, units.count)
  if (aggregation.kind === "sum") {
    const batches = inBatches(units, `${seed}/interval/${metric.name}`)
    const vectors = unitVectors(aggregation, (i) => (entries[i] as RowEntry<unknown>).row, batches)
    const distribution = bootstrapVectors(vectors, aggregation.score, vectorResamples, random)
    const jackknife = jackknifeVectors(vectors, aggregation.score)
    return bounded(distribution, value, jackknife, level, `${over}${batchesText(units)}, seed ${seed}`)
  }
  const count = aggregation.kind === "rows" ? aggregation.resamples : undefined
  const held = [...entries]
  const score = (members: readonly number[]) =>
    metric.summarise(members.map((i) => held[i] as RowEntry<unknown>)).value ?? Number.NaN
  const resamples = rowResamples(entries.length, count)
  const distribution = bootstrapRows(unitMembers(units), score, resamples, random)
  return bounded(distribution, value, null, level, `${over}, seed ${seed}`)
}

/** The values of the rows; null when a row has none. */
function valuesOf({ entries, value }: ScoredRows): Float64Array | null {
  const values = new Float64Array(entries.length)
  for (let i = 0; i < values.length; i++) {
    const own = value(i)
    if (own === null) return null
    values[i] = own
  }
  return values
}

/** BCa where a jackknife is given and varies, percentile otherwise; resamples without a figure are left out and said. */
function bounded(
  distribution: Float64Array,
  value: number,
  jackknife: Float64Array | null,
  alpha: number,
  what: string,
): Interval {
  const finite = distribution.filter(Number.isFinite)
  if (finite.length < distribution.length / 2)
    return { low: null, high: null, method: what, warning: estimateReasons.fewResamples }
  const bca = jackknife?.every(Number.isFinite) ? bcaInterval(finite, value, jackknife, alpha) : null
  const usable = bca !== null && Number.isFinite(bca.low) && Number.isFinite(bca.high)
  const dropped = distribution.length - finite.length
  return {
    ...(usable ? bca : percentileInterval(finite, alpha)),
    method: `${usable ? "BCa" : "percentile"} ${what}, ${finite.length} resamples`,
    ...(dropped > 0 ? { warning: estimateMethods.droppedResamples(dropped, distribution.length) } : {}),
  }
}

function splitVariance(metric: AnyMetric, { entries, value, repeated }: ScoredRows): RepeatVariance | null {
  if (metric.aggregation.kind !== "mean" || !repeated) return null
  const bySample = new Map<string, number[]>()
  entries.forEach(({ sampleId }, i) => {
    const own = value(i)
    if (own === null) return
    const list = bySample.get(sampleId)
    if (list) list.push(own)
    else bySample.set(sampleId, [own])
  })
  return repeatVariance([...bySample.values()])
}

function noFigure(reason: string): QualityResult {
  return { figure: unknown(reason), details: null, variance: null }
}
