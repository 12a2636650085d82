import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Trend, TrendPoint, TrendReach } from "../../core/report/trend.ts"
import { qualityFigure } from "../../estimate/interval.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { changePoints } from "../../stats/sequential/change-point.ts"
import { adjustP } from "../../stats/tests/multiple-tests.ts"
import { noFigure } from "../../wording/reasons.ts"
import { reachReason, trendSentence } from "../../wording/trend.ts"
import { compareVariants } from "../compare/compare.ts"
import { availabilityTrend } from "./availability.ts"
import { operationTrends } from "./operations.ts"

/** One run of a variant. @experimental */
export interface TrendRun {
  readonly run: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly scored: ScoredVariant
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
    sentence: trendSentence(metric, points, changes, reach),
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
  const values = points.flatMap(({ run, figure }) =>
    figure.status === "known" && figure.low != null && figure.high != null
      ? [{ run, value: figure.value, error: (figure.high - figure.low) / (2 * z) }]
      : [],
  )
  return changePoints(
    values.map(({ value }) => value),
    values.map(({ error }) => error),
    alpha / 2,
  ).map((change) => ({ ...change, run: values[change.at]?.run ?? "" }))
}

/**
 * Whether any loss at all could show between each run and the baseline run. An exact paired test of n units gives no p below
 * 2^(1 − n): fewer samples in common than that takes raise no alarm even where all of them turned wrong.
 *
 * @param alpha error rate of the trend, of which half goes to the alarms, shared by the runs
 */
function reachOf(points: readonly TrendPoint[], baselineIndex: number, alpha: number): TrendReach {
  const baseline = points[baselineIndex]
  const newest = points.at(-1)
  if (!baseline || !newest) return { compared: new Set(), newest: noFigure.noRun }
  const tests = Math.max(1, points.filter(({ pAdjusted }) => pAdjusted !== null).length)
  const needed = Math.floor(1 - Math.log2(alpha / 2 / tests)) + 1
  const unitsOf = ({ comparison }: TrendPoint) =>
    comparison?.p == null ? 0 : (comparison.clusters ?? comparison.pairs)
  const compared = points.filter((point) => point === baseline || unitsOf(point) >= needed)
  const isCompared = compared.includes(newest) && newest !== baseline
  return {
    compared: new Set(compared.map(({ run }) => run)),
    newest: isCompared ? null : reachReason(newest, baseline, unitsOf(newest), needed),
  }
}
