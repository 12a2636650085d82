import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { ReportSection } from "../../core/report/report-sections.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { pairedEstimator } from "../../estimate/paired-estimate.ts"
import { countRows } from "../../rows/missing-rows.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import { retryWords } from "../../wording/sections/retry.ts"
import { type RepairCounts, repairCounts, retryPartOf } from "../interim/retry-part.ts"

/** What a section of a retry is made from. */
export interface RetrySectionOptions {
  readonly record: RunRecord
  readonly store: Pick<RunStore, "events">
  readonly variants: readonly ScoredVariant[]
  readonly evaluation: Pick<Evaluation, "metrics" | "missing" | "alpha" | "seed">
}

/** Before and after each changed prompt: on the samples of the cause, on the rest, and on all; null for a run that is no retry. */
export function retrySection({ record, store, variants, evaluation }: RetrySectionOptions): ReportSection | null {
  const { retry, dataset } = record
  const part = retryPartOf(store, record)
  const metric = evaluation.metrics.find(({ name }) => name === retry?.metric)
  if (!retry || !part || !metric) return null
  const { alpha, missing, seed } = evaluation
  const inside = new Set(part.samples)
  const names = retryWords.parts(retry.cause)
  const rows = (name: string | null) => {
    const variant = variants.find((scoredVariant) => scoredVariant.name === name)
    return variant ? rowsOf(variant, metric.name) : []
  }
  const [baseline, before] = [rows(record.baseline), rows(retry.candidate)]
  const lines = retry.prompts.map(({ variant }) => {
    const after = rows(variant)
    const isWhole = part.whole.includes(variant)
    const on = (name: string, isInside: (id: string) => boolean) => {
      const difference = (side: readonly MetricRow[]) =>
        differenceOn(metric, baseline, side, { isInside, missing, alpha, seed })
      const sides = { baseline, before, after }
      const counts = repairCounts(metric, sides, { lost: new Set(part.lost), missing, alpha, isInside })
      return { name, counts, was: difference(before), is: difference(after) }
    }
    const cause = on(names.cause, (id) => inside.has(id))
    const rest = on(names.rest, (id) => !inside.has(id))
    return { variant, isWhole, cause, rest, shown: isWhole ? [cause, rest, on(names.all, () => true)] : [cause] }
  })
  const tries = retryWords.tries(retry, alpha)
  const anyWhole = lines.some(({ isWhole }) => isWhole)
  return {
    kind: "table",
    topic: "retry",
    title: retryWords.title,
    sentences: [
      ...lines.flatMap(({ variant, cause: { counts } }) =>
        counts.lost === 0 ? [] : retryWords.repaired(variant, retry, counts),
      ),
      ...lines.flatMap(({ variant, isWhole }) => (isWhole ? [] : retryWords.partial(variant, inside.size))),
      tries,
      ...(anyWhole ? [retryWords.chosenBy(inside.size, dataset.samples)] : []),
      ...lines.flatMap(({ variant, isWhole, rest: { is } }) =>
        isWhole && is.status === "known" ? retryWords.rest(variant, metric, is.n, boundsOf(is)) : [],
      ),
    ],
    ...(anyWhole && { caution: tries }),
    data: {
      columns: retryWords.columns,
      rows: lines.flatMap(({ variant, shown }) =>
        shown.map(({ name, counts, was, is }) => [variant, name, ...cells(counts), was, is]),
      ),
    },
  }
}

function cells({ lost, repaired, broken }: RepairCounts): readonly number[] {
  return [lost, repaired, broken, lost - repaired + broken]
}

function boundsOf({ value, low, high }: Extract<Figure, { status: "known" }>) {
  return low == null || high == null ? { value } : { value, low, high }
}

interface DifferenceOptions extends Pick<Evaluation, "missing" | "alpha" | "seed"> {
  isInside(sampleId: string): boolean
}

/** The paired difference to the baseline over some samples. */
function differenceOn(
  metric: AnyMetric,
  baseline: readonly MetricRow[],
  side: readonly MetricRow[],
  { isInside, missing, alpha, seed }: DifferenceOptions,
): Figure {
  const kept = (rows: readonly MetricRow[]) => rows.filter(({ sampleId }) => isInside(sampleId))
  const { all } = countRows(metric, kept(baseline), kept(side), { missing, absentRows: "not_asked" })
  const estimate = pairedEstimator(metric, all, seed)?.at(alpha)
  if (!estimate) return unknown(retryWords.noDifference)
  const n = new Set(all.map(({ sampleId }) => sampleId)).size
  return { status: "known", value: estimate.value, low: estimate.low, high: estimate.high, n, method: estimate.method }
}
