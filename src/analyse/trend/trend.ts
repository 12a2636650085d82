import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { MetricComparison } from "../../core/report/comparison.ts"
import type { Figure } from "../../core/report/figure.ts"
import { qualityFigure } from "../../estimate/interval.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { type ChangePoint, changePoints } from "../../stats/sequential/change-point.ts"
import { adjustP } from "../../stats/tests/multiple-tests.ts"
import { levelOf } from "../../words/difference.ts"
import { spoken } from "../../words/names.ts"
import { pValue } from "../../words/p-value.ts"
import { compareVariants } from "../compare/compare.ts"
import { type AvailabilityTrend, availabilityTrend } from "./availability.ts"
import { type OperationTrend, operationTrends } from "./operations.ts"
import { reachOf, type TrendReach } from "./reach.ts"

/** One run of a variant. */
export interface TrendRun {
  readonly run: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly scored: ScoredVariant
}

/** One run on the trend. */
export interface TrendPoint {
  readonly run: string
  readonly startedAt: string
  readonly figure: Figure
  /** Against the baseline run, paired by sample; null for the baseline itself. */
  readonly comparison: MetricComparison | null
  /** Holm over all runs; null where there is no test. */
  readonly pAdjusted: number | null
  /** Later than the baseline run, and worse than it on evidence that survives the number of runs looked at. */
  readonly alarm: boolean
}

/** Whether a metric got worse over the runs; `inconclusive` where the newest run cannot be compared with the baseline run. @experimental */
export type TrendState = "worse" | "no_drift" | "inconclusive"

/** A variant's metric over its runs. @experimental */
export interface Trend {
  readonly metric: string
  /** Id of the run that the others are compared with; null where there is no run. */
  readonly baseline: string | null
  readonly points: readonly TrendPoint[]
  readonly changes: readonly (ChangePoint & { readonly run: string })[]
  /** A run is worse than the baseline run, or the newest change of the level is for the worse. */
  readonly worse: boolean
  readonly state: TrendState
  /** Latency and cost of the same runs; what was never measured is left out. */
  readonly operations: readonly OperationTrend[]
  readonly availability: AvailabilityTrend
  readonly sentence: string
}

/** Options of {@link computeTrend}. @experimental */
export interface TrendOptions {
  /** Oldest first. */
  readonly runs: readonly TrendRun[]
  readonly metric: AnyMetric
  readonly margin: number
  readonly alpha: number
  readonly seed: number | string
  /** Run that the others are compared with; the oldest by default. */
  readonly baseline?: string
}

/**
 * A metric of one variant over its runs: the figure of each, paired drift alarms against the baseline run (Holm over the
 * runs), and change points of the level. Half of α goes to the alarms and half to the change points: a run alone shows little
 * against the baseline run, while all runs since a change show it together. Latency and cost have an α of their own.
 * @experimental
 */
export function computeTrend(options: TrendOptions): Trend {
  const { runs, metric, alpha } = options
  const baselineIndex = Math.max(
    0,
    runs.findIndex(({ run }) => run === options.baseline),
  )
  const baseline = runs[baselineIndex]
  const compared = runs.map((run) => ({
    run,
    figure: qualityFigure(metric, rowsOf(run.scored, metric.name), options).figure,
    comparison: baseline && run !== baseline ? compareRun(baseline, run, options) : null,
  }))
  const tested = compared.flatMap(({ comparison }, i) => (comparison?.p == null ? [] : [{ i, p: comparison.p }]))
  const adjusted = adjustP(
    tested.map(({ p }) => p),
    "holm",
  )
  const pOf = new Map(tested.map(({ i }, k) => [i, adjusted[k] as number]))
  const sign = metric.direction === "higher" ? 1 : -1
  const points = compared.map(({ run, figure, comparison }, i): TrendPoint => {
    const pAdjusted = pOf.get(i) ?? null
    const worse = sign * (comparison?.difference ?? 0) < 0
    return {
      run: run.run,
      startedAt: run.startedAt,
      figure,
      comparison,
      pAdjusted,
      alarm: i > baselineIndex && worse && pAdjusted !== null && pAdjusted < alpha / 2,
    }
  })
  const changes = changesOf(points, alpha)
  const newest = changes.at(-1)
  const worse = points.some(({ alarm }) => alarm) || (newest !== undefined && sign * (newest.after - newest.before) < 0)
  const reach = reachOf(points, baselineIndex, alpha)
  return {
    metric: metric.name,
    baseline: baseline?.run ?? null,
    points,
    changes,
    worse,
    state: worse ? "worse" : reach.newest === null ? "no_drift" : "inconclusive",
    operations: operationTrends(runs, alpha, reach.compared),
    availability: availabilityTrend(runs, alpha),
    sentence: sentenceOf(metric, points, changes, reach),
  }
}

function compareRun(baseline: TrendRun, run: TrendRun, { metric, margin, alpha, seed }: TrendOptions) {
  const { metrics } = compareVariants({
    baseline: { ...baseline.scored, name: `run ${baseline.run}` },
    candidate: { ...run.scored, name: `run ${run.run}` },
    metrics: [metric],
    primary: [metric.name],
    margin,
    alpha,
    seed,
  })
  return metrics[0] ?? null
}

function changesOf(points: readonly TrendPoint[], alpha: number): Trend["changes"] {
  const z = normalQuantile(1 - alpha / 2)
  const known = points.flatMap(({ run, figure }) =>
    figure.status === "known" && figure.low != null && figure.high != null
      ? [{ run, value: figure.value, error: (figure.high - figure.low) / (2 * z) }]
      : [],
  )
  return changePoints(
    known.map(({ value }) => value),
    known.map(({ error }) => error),
    alpha / 2,
  ).map((change) => ({ ...change, run: known[change.at]?.run ?? "" }))
}

function sentenceOf(
  metric: AnyMetric,
  points: readonly TrendPoint[],
  changes: Trend["changes"],
  { compared, newest }: TrendReach,
): string {
  const alarms = points.filter(({ alarm }) => alarm)
  const name = spoken(metric)
  const level = (value: number) => levelOf(value, metric)
  const parts = [
    ...changes.map(
      ({ run, before, after, p }) =>
        `${name} went from ${level(before)} to ${level(after)} at run ${run} (${pValue(p)}).`,
    ),
    ...(alarms.length > 0 ? [`Worse than the baseline: ${alarms.map(({ run }) => `run ${run}`).join(", ")}.`] : []),
  ]
  if (points.length < 2) return `One run so far: whether ${name} changes shows from the second on.`
  const known = points.filter(({ figure }) => figure.status === "known").length
  if (known < 2)
    return `${name} is known of ${known === 1 ? "one" : "none"} of ${points.length} runs: whether it changes cannot be told.`
  if (newest !== null)
    parts.push(`Whether ${name} changed${parts.length > 0 ? " since" : ""} cannot be told: ${newest}.`)
  if (parts.length > 0) return parts.join(" ")
  const others = points.length - compared.size
  return `${name} shows no change over ${compared.size} runs${others === 0 ? "" : `; of ${others} more it cannot be told`}.`
}
