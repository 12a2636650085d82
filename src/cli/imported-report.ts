import { storedMetric } from "../analyse/summary/stored-metric.ts"
import { validateConfig } from "../config/validate.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { saveReport } from "../pipeline/save-report.ts"
import { recorded } from "../providers/recorded.ts"
import { loadO200k } from "../text/o200k.ts"

/** Derives the report of a run that another tool made, from the scores that it gave. */
export async function reportImported(store: RunStore, record: RunRecord, signal: AbortSignal): Promise<void> {
  await saveReport(store, record, await evaluationOf(record), await loadO200k(), signal)
}

/** The run as a config would have stated it; nobody can be asked by it. */
async function evaluationOf(record: RunRecord): Promise<Evaluation> {
  const { name, variants, metrics, repeats, seed, alpha } = record
  const evaluation = await validateConfig({
    name,
    repeats,
    seed,
    alpha,
    variants: variants.map((variant) => ({ name: variant.name, provider: recorded([], { model: variant.model }) })),
    metrics: metrics.map(storedMetric),
    ...(metrics.length > 0 && { primary: metrics.filter(({ primary }) => primary).map((metric) => metric.name) }),
  })
  // What `compare` of the run goes by: a config's own default is another.
  const { margin, marginKind = "unit" } = record
  return { ...evaluation, margin, marginKind }
}
