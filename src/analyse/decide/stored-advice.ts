import type { Evaluation } from "../../core/run/evaluation.ts"
import { mergedParts } from "../../core/run/merged-parts.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type KnownValues, type MetricAdvice, metricAdvice } from "./metric-advice.ts"

/** Earlier runs that are read, at most, the newest first; variants of them all, and rows of each metric and variant. */
const maxRuns = 6
const maxVariants = 12
const maxRows = 2_000

/** Advice on the metrics of an evaluation, from what earlier runs of the store scored with the same metrics. */
export function storedAdvice(
  store: Pick<RunStore, "runs" | "rows" | "eventsOfKinds"> | null,
  { metrics, primary }: Pick<Evaluation, "metrics" | "primary">,
): readonly MetricAdvice[] {
  const values = new Map(metrics.map(({ name }) => [name, new Map<string, Map<string, number>>()]))
  const runs: string[] = []
  let variants = 0
  const parts = store ? mergedParts(store) : new Set()
  for (const run of store?.runs() ?? []) {
    if (parts.has(run.id) || run.retry) continue
    if (runs.length === maxRuns || variants >= maxVariants) break
    const shared = metrics.filter((metric) => hasMetric(run, metric))
    if (shared.length === 0) continue
    let isUsed = false
    for (const { name: variant } of run.variants.slice(0, maxVariants - variants)) {
      for (const { name } of shared) {
        const read = readValues(store as Pick<RunStore, "rows">, run.id, variant, name)
        if (read.size === 0) continue
        isUsed = true
        values.get(name)?.set(`${run.id}\u0000${variant}`, read)
      }
      variants++
    }
    if (isUsed) runs.push(run.id)
  }
  const measured = [...values].flatMap(([metric, byVariant]): KnownValues[] =>
    byVariant.size === 0 ? [] : [{ metric, variants: byVariant }],
  )
  return metricAdvice(primary, measured, runs.length === 1 ? `run ${runs[0]}` : `${runs.length} earlier runs`)
}

function hasMetric(
  { metrics }: RunRecord,
  { name, signature }: { readonly name: string; readonly signature: string },
): boolean {
  return metrics.some((metric) => metric.name === name && metric.signature === signature)
}

function readValues(store: Pick<RunStore, "rows">, run: string, variant: string, metric: string): Map<string, number> {
  const values = new Map<string, number>()
  let rows = 0
  for (const { sampleId, repeat, value } of store.rows(run, variant, metric)) {
    if (rows++ === maxRows) break
    if (value !== null && Number.isFinite(value)) values.set(`${repeat}\u0000${sampleId}`, value)
  }
  return values
}
