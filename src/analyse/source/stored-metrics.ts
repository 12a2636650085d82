import { UsageError } from "../../core/errors.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricRecord, RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { sourceNotes } from "../../wording/source-notes.ts"
import { storedMetric } from "../summary/stored-metric.ts"

/** The metrics of a run's config, or why there are none. */
export interface LoadedMetrics {
  readonly metrics: readonly AnyMetric[]
  /** Why the config could not be loaded; null when it was. */
  readonly cause: string | null
}

/** What the rows of a run are summarised by. */
export interface StoredMetrics {
  readonly metrics: readonly AnyMetric[]
  /** Metrics whose rows are taken as their plain values. */
  readonly flat: ReadonlySet<string>
  readonly notes: readonly string[]
  /** Metrics that cannot be compared, and why. */
  readonly refused: ReadonlyMap<string, string>
}

/**
 * Finds for each metric of a run what its stored rows are summarised by: the metric of the config where it can be loaded and
 * computes the same; else the metric made again from what the run keeps of it; else the mean of the stored values, where the
 * metric is that mean. A metric that is anything else is refused: another quantity must not take its name.
 *
 * @param recreate makes a metric of the catalogue again; null when it cannot
 */
export function storedMetrics(
  records: readonly MetricRecord[],
  { run, variant, store }: { readonly run: RunRecord; readonly variant: string; readonly store: RunStore },
  loaded: LoadedMetrics,
  recreate: (record: MetricRecord) => AnyMetric | null,
): StoredMetrics {
  const metrics: AnyMetric[] = []
  const flat = new Set<string>()
  const notes: string[] = []
  const refused = new Map<string, string>()
  for (const record of records) {
    const { name, signature, aggregation } = record
    const own = loaded.metrics.find((metric) => metric.name === name && metric.signature === signature)
    const made = own ?? recreate(record)
    if (made) {
      metrics.push(made)
      continue
    }
    const isMean = aggregation === "mean" || (aggregation === undefined && hasPlainRows(store, run.id, variant, name))
    if (!isMean) {
      refused.set(name, sourceNotes.noMean(causeOf(record, loaded)))
      continue
    }
    metrics.push(storedMetric(record))
    flat.add(name)
    if (aggregation === undefined) notes.push(sourceNotes.storedMean(name, causeOf(record, loaded)))
  }
  return { metrics, flat, notes, refused }
}

/** @throws UsageError when a metric that decides cannot be summarised */
export function refuseMissing(deciding: readonly string[], refused: ReadonlyMap<string, string>): void {
  for (const name of deciding) {
    const cause = refused.get(name)
    if (cause === undefined) continue
    throw new UsageError(`${name} cannot be compared: ${cause}`, {
      code: "metric_not_at_hand",
      where: name,
      hint: "run the command where the config is, or name another metric with --primary",
    })
  }
}

function causeOf({ name, signature }: MetricRecord, { metrics, cause }: LoadedMetrics): string {
  if (cause !== null) return cause
  const other = metrics.find((metric) => metric.name === name)
  return other ? sourceNotes.otherSignature(other.signature, signature) : sourceNotes.noSuchMetric
}

/** Whether a row is its own value, as the rows of means usually are. */
function hasPlainRows(store: RunStore, runId: string, variant: string, metric: string): boolean {
  for (const { measured, value } of store.rows(runId, variant, metric))
    if (measured.status === "scored") return typeof measured.row === "number" && measured.row === value
  return true
}
