import { ownVariants } from "../../analyse/interim/retry-part.ts"
import { storedVariant } from "../../analyse/source/stored-source.ts"
import { answersReader } from "../../analyse/summary/sample-splits.ts"
import { storedMetric } from "../../analyse/summary/stored-metric.ts"
import { type AskedRun, chooseBaseline } from "../../analyse/trend/baseline.ts"
import { computeTrend, type TrendRun } from "../../analyse/trend/trend.ts"
import { UsageError } from "../../core/errors.ts"
import type { Trend } from "../../core/report/trend.ts"
import { mergedParts } from "../../core/run/merged-parts.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { findRun } from "../../store/find-run.ts"
import { wordingOf } from "../../words/difference.ts"
import { metricTitle } from "../../words/names.ts"

/** What of a variant's runs is looked at. */
export interface TrendScope {
  readonly variant: string
  /** Default: the first metric that decides. */
  readonly metric?: string | undefined
  /** Run that the others are compared with; default: as `chooseBaseline` says. */
  readonly baseline?: string | undefined
  /** Newest runs, at most. */
  readonly limit: number
  /** Runs that count; default: all. */
  readonly counts?: (run: RunRecord) => boolean
}

/** A trend, and how its metric is worded. */
export interface WordedTrend {
  readonly result: Trend
  readonly wording: ReturnType<typeof wordingOf>
  /** What the metric's figure is called. */
  readonly title: string
}

/**
 * The trend of a variant over the runs of a store, and how its metric is worded.
 *
 * @throws {UsageError} when no run has the variant or the metric
 */
export function trendOf(store: RunStore, scope: TrendScope): WordedTrend {
  const { variant, counts = () => true } = scope
  const parts = mergedParts(store)
  const all = [...store.runs()]
    .reverse()
    .filter((run) => counts(run) && !parts.has(run.id) && ownVariants(run).includes(variant))
  const newest = all.at(-1)
  if (!newest) throw new UsageError(`no run has a variant "${variant}"`, { hint: "list the runs with: evalkit runs" })
  const name = scope.metric ?? newest.metrics.find(({ primary }) => primary)?.name
  const record = newest.metrics.find((metric) => metric.name === name)
  if (!record)
    throw new UsageError(`the newest run has no metric "${name ?? ""}"`, {
      hint: `choose from: ${newest.metrics.map((metric) => metric.name).join(", ")}`,
    })
  const comparable = all.filter(({ metrics }) =>
    metrics.some((m) => m.name === name && m.signature === record.signature),
  )
  const cut = Math.max(0, comparable.length - Math.max(2, scope.limit))
  const metric = storedMetric(record)
  const answersOf = answersReader(store)
  const trendRun = (run: RunRecord): TrendRun => ({
    run: run.id,
    startedAt: run.startedAt,
    scored: storedVariant(store, { run, variant }, variant, new Set([metric.name]), answersOf),
  })
  const recent = comparable.slice(cut).map(trendRun)
  const earlier = comparable.slice(0, cut)
  const baseline =
    scope.baseline === undefined
      ? chooseBaseline(
          recent.map(({ run, scored }) => ({ run, samples: new Set(scored.answers.map(({ sampleId }) => sampleId)) })),
          askedBy(store, earlier, variant),
        )
      : findRun(store, scope.baseline).id
  const before = earlier.filter(({ id }) => id === baseline).map(trendRun)
  const result = computeTrend({
    runs: [...before, ...recent],
    metric,
    margin: newest.margin,
    alpha: newest.alpha,
    seed: newest.seed,
    ...(baseline === undefined ? {} : { baseline }),
  })
  return { result, wording: wordingOf(metric), title: metricTitle(metric) }
}

/** What each run asked of a variant, read run by run. */
function* askedBy(store: RunStore, runs: readonly RunRecord[], variant: string): Generator<AskedRun> {
  for (const { id } of runs) {
    const samples = new Set<string>()
    for (const { facts } of store.answerFacts(id, variant)) samples.add(facts.sampleId)
    yield { run: id, samples }
  }
}
