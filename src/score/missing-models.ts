import { messageOf } from "../core/errors.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { OpenOptions, UsedModel } from "../core/metric/used-model.ts"
import type { Check } from "../core/report/report.ts"
import type { RunStore } from "../core/run/run-store.ts"
import { modelsCheckName } from "../words/reasons/scores.ts"

const kind = "models_opened"

/** A model that metrics need and that cannot be loaded. */
export interface MissingModel {
  readonly metrics: readonly string[]
  readonly model: string
  /** What is missing, where it was looked for, and what to do. */
  readonly message: string
}

/**
 * Loads the models that metrics were given, each once, and uses none: what is missing is known before anything is asked. A model
 * that cannot be loaded leaves its metrics unscored with the same reason; the run goes on. With `load: false` only files on this
 * machine are looked for.
 */
export async function missingModels(
  metrics: readonly AnyMetric[],
  signal: AbortSignal,
  options: OpenOptions = {},
): Promise<MissingModel[]> {
  const byModel = new Map<string, { readonly model: UsedModel; readonly metrics: Set<string> }>()
  for (const { name, uses = [] } of metrics)
    for (const model of uses) {
      if (!model.open) continue
      const key = `${model.kind} ${model.identity}`
      const existing = byModel.get(key) ?? { model, metrics: new Set<string>() }
      existing.metrics.add(name)
      byModel.set(key, existing)
    }
  const missing: MissingModel[] = []
  for (const [key, { model, metrics: names }] of byModel)
    await model.open?.(signal, options).catch((error: unknown) => {
      if (signal.aborted) return
      missing.push({ metrics: [...names], model: key, message: messageOf(error).slice(0, 1_000) })
    })
  return missing
}

/** One line about a model that is missing. */
export function missingModelText({ metrics, message }: MissingModel): string {
  return `${metrics.join(", ")} will be unscored: ${message}`
}

/** Keeps what was missing. A resumed run that misses nothing any more says so. */
export function noteMissingModels(
  store: Pick<RunStore, "events" | "saveEvent">,
  runId: string,
  missing: readonly MissingModel[],
  at: string,
): void {
  if (missing.length === 0 && lastKept(store, runId).length === 0) return
  store.saveEvent(runId, { at, kind, data: { missing: missing.map(missingModelText) } })
}

/** Only where it happened: the models that were missing when the run was last begun or continued. */
export function modelsWereThere(store: Pick<RunStore, "events">, runId: string): Check[] {
  const missing = lastKept(store, runId)
  if (missing.length === 0) return []
  return [{ name: modelsCheckName, status: "failed", message: missing.join(" · ") }]
}

function lastKept(store: Pick<RunStore, "events">, runId: string): readonly string[] {
  let last: readonly string[] = []
  for (const event of store.events(runId)) {
    const { missing } = event.data
    if (event.kind === kind && Array.isArray(missing)) last = missing.map(String)
  }
  return last
}
