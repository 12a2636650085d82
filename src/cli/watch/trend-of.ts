import { UsageError } from "../../core/errors.ts"
import { mergedParts } from "../../core/run/merged-parts.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { storedVariant } from "../../engine/compare/source/stored-source.ts"
import { spoken, wordingOf } from "../../engine/decide/phrases.ts"
import { computeTrend, type Trend } from "../../engine/decide/trend.ts"
import { findRun } from "../../engine/report/find-run.ts"
import { answersReader } from "../../engine/report/sample-splits.ts"
import { storedMetric } from "../../engine/report/stored-metric.ts"

/** What of a variant's runs is looked at. */
export interface TrendScope {
  readonly variant: string
  /** Default: the first metric that decides. */
  readonly metric?: string | undefined
  /** Run that the others are compared with; default: the oldest. */
  readonly baseline?: string | undefined
  /** Newest runs, at most. */
  readonly limit: number
  /** Runs that count; default: all. */
  readonly counts?: (run: RunRecord) => boolean
}

/** A trend, and how its metric is told. */
export interface ToldTrend {
  readonly result: Trend
  readonly wording: ReturnType<typeof wordingOf>
  /** What the metric's figure is called. */
  readonly title: string
}

/**
 * The trend of a variant over the runs of a store, and how its metric is told.
 *
 * @throws {UsageError} when no run has the variant or the metric
 */
export function trendOf(store: RunStore, scope: TrendScope): ToldTrend {
  const { variant, counts = () => true } = scope
  const parts = mergedParts(store)
  const all = [...store.runs()]
    .reverse()
    .filter((run) => counts(run) && !parts.has(run.id) && run.variants.some(({ name }) => name === variant))
  const newest = all.at(-1)
  if (!newest) throw new UsageError(`no run has a variant "${variant}"`, { hint: "list the runs with: evalkit runs" })
  const name = scope.metric ?? newest.metrics.find(({ primary }) => primary)?.name
  const record = newest.metrics.find((metric) => metric.name === name)
  if (!record)
    throw new UsageError(`the newest run has no metric "${name ?? ""}"`, {
      hint: `choose from: ${newest.metrics.map((metric) => metric.name).join(", ")}`,
    })
  const baseline = scope.baseline === undefined ? all[0] : findRun(store, scope.baseline)
  const comparable = (run: RunRecord) => run.metrics.some((m) => m.name === name && m.signature === record.signature)
  const recent = all.filter(comparable).slice(-Math.max(2, scope.limit))
  const runs = baseline && comparable(baseline) && !recent.includes(baseline) ? [baseline, ...recent] : recent
  const metric = storedMetric(record)
  const answersOf = answersReader(store)
  const result = computeTrend({
    runs: runs.map((run) => ({
      run: run.id,
      startedAt: run.startedAt,
      scored: storedVariant(store, { run, variant }, variant, new Set([metric.name]), answersOf),
    })),
    metric,
    margin: newest.margin,
    alpha: newest.alpha,
    seed: newest.seed,
    ...(baseline ? { baseline: baseline.id } : {}),
  })
  return { result, wording: wordingOf(metric), title: spoken(metric) }
}
