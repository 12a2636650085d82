import { type Figure, type KnownFigure, unknown } from "../core/figure.ts"
import type { JsonValue } from "../core/json.ts"
import type { AnyMetric, RowEntry } from "../core/metric.ts"
import { createRandom, type Random } from "../core/random.ts"
import type { MetricRow } from "../core/scored-variant.ts"
import { batchVectors } from "../stats/batch-vectors.ts"
import { bcaInterval, percentileInterval } from "../stats/bootstrap-interval.ts"
import { bootstrapRows, rowResamples } from "../stats/bootstrap-rows.ts"
import { bootstrapVectors, jackknifeVectors } from "../stats/bootstrap-vectors.ts"
import { expandedAlpha } from "../stats/expanded-alpha.ts"
import { meanInterval } from "../stats/mean-interval.ts"
import { type RepeatVariance, repeatVariance } from "../stats/repeat-variance.ts"
import { groupUnits, type Units } from "../stats/units.ts"
import { mainReason, scoredEntries, unitKey } from "./entries.ts"
import { unitVectors } from "./unit-vectors.ts"

/** Resamples of a metric over summed vectors. */
const vectorResamples = 1000

/** More samples than this are added up into as many batches before they are resampled. */
const mostBatches = 10_000

/** Options of {@link qualityFigure}. */
export interface IntervalOptions {
  readonly seed: number | string
  /** 1 − confidence; 0.05 by default. */
  readonly alpha?: number
}

/** A metric over one variant: the number, what the metric says besides, and where its variance comes from. */
export interface QualityResult {
  readonly figure: Figure
  /** What the metric says, or `{ variance }` where it says nothing and samples were repeated. */
  readonly details: JsonValue
  /** Null without repeats. */
  readonly variance: RepeatVariance | null
}

/**
 * The figure of a metric over a variant's rows with its interval: Wilson or Student t for means (clustered by `cluster`,
 * with repeats as a level below the samples), BCa bootstrap over summed vectors, bootstrap through `summarise` for
 * everything else, or the metric's own interval. The order of the rows does not matter. Unknown, with the reason, when
 * nothing was scored.
 */
export function qualityFigure(metric: AnyMetric, rows: readonly MetricRow[], options: IntervalOptions): QualityResult {
  const { entries, values } = scoredEntries(rows)
  if (entries.length === 0) {
    const reason = mainReason(rows)
    return noFigure(rows.length === 0 ? "nothing was measured" : `nothing was scored${reason ? `: ${reason}` : ""}`)
  }
  const summary = metric.summarise(entries)
  const details = summary.details ?? null
  if (summary.value === null || !Number.isFinite(summary.value))
    return { ...noFigure(summary.reason ?? "the figure is undefined for these answers"), details }
  const interval = summary.interval ?? chooseInterval(metric, entries, values, summary.value, options)
  const figure: KnownFigure = { status: "known", value: summary.value, n: entries.length, ...interval }
  const variance = splitVariance(metric, entries, values)
  return { figure, details: details ?? (variance && { variance: { ...variance } }), variance }
}

type Interval = Pick<KnownFigure, "low" | "high" | "method" | "warning">

function chooseInterval(
  metric: AnyMetric,
  entries: readonly RowEntry<unknown>[],
  values: readonly (number | null)[],
  value: number,
  { seed, alpha = 0.05 }: IntervalOptions,
): Interval {
  const keys = entries.map(unitKey)
  const { aggregation } = metric
  const numbers = values.filter((v) => v !== null)
  if (aggregation.kind === "mean" && numbers.length === values.length) {
    const { low, high, method } = meanInterval(numbers, keys, metric.range, alpha)
    return { low, high, method }
  }
  const units = groupUnits(new Float64Array(entries.length), keys)
  if (units.members.length < 2)
    return { low: null, high: null, method: "one sample", warning: "one sample bounds nothing" }
  const random = createRandom(`${seed}/interval/${metric.name}`)
  if (aggregation.kind === "sum") {
    const all = unitVectors(aggregation, entries, units)
    const vectors = batchVectors(all, mostBatches)
    const batches = vectors === all ? "" : ` in ${mostBatches} batches`
    const distribution = bootstrapVectors(vectors, aggregation.score, vectorResamples, random)
    const jackknife = jackknifeVectors(vectors, aggregation.score)
    return bounded(
      distribution,
      value,
      jackknife,
      expandedAlpha(alpha, units.members.length),
      `bootstrap over ${unitWord(units)}${batches}, seed ${seed}`,
    )
  }
  return rowsInterval(metric, entries, units, value, random, seed, alpha)
}

function rowsInterval(
  metric: AnyMetric,
  entries: readonly RowEntry<unknown>[],
  units: Units,
  value: number,
  random: Random,
  seed: number | string,
  alpha: number,
): Interval {
  const wanted = metric.aggregation.kind === "rows" ? metric.aggregation.resamples : undefined
  const resamples = rowResamples(entries.length, wanted)
  const score = (members: readonly number[]) =>
    metric.summarise(members.map((i) => entries[i] as RowEntry<unknown>)).value ?? Number.NaN
  const distribution = bootstrapRows(units.members, score, resamples, random)
  return bounded(
    distribution,
    value,
    null,
    expandedAlpha(alpha, units.members.length),
    `bootstrap over ${unitWord(units)}, seed ${seed}`,
  )
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
    return { low: null, high: null, method: what, warning: "most resamples have no figure: too few samples" }
  const bca = jackknife?.every(Number.isFinite) ? bcaInterval(finite, value, jackknife, alpha) : null
  const usable = bca !== null && Number.isFinite(bca.low) && Number.isFinite(bca.high)
  const dropped = distribution.length - finite.length
  return {
    ...(usable ? bca : percentileInterval(finite, alpha)),
    method: `${usable ? "BCa" : "percentile"} ${what}, ${finite.length} resamples`,
    ...(dropped > 0 ? { warning: `${dropped} of ${distribution.length} resamples have no figure` } : {}),
  }
}

function splitVariance(
  metric: AnyMetric,
  entries: readonly RowEntry<unknown>[],
  values: readonly (number | null)[],
): RepeatVariance | null {
  if (metric.aggregation.kind !== "mean") return null
  const bySample = new Map<string, number[]>()
  entries.forEach((entry, i) => {
    const value = values[i]
    if (value === null || value === undefined) return
    bySample.set(entry.sampleId, [...(bySample.get(entry.sampleId) ?? []), value])
  })
  return repeatVariance([...bySample.values()])
}

function unitWord(units: Units): string {
  return `${units.members.length} ${units.single ? "samples" : "clusters"}`
}

function noFigure(reason: string): QualityResult {
  return { figure: unknown(reason), details: null, variance: null }
}
