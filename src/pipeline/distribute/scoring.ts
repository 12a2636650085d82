import type { AnyMetric } from "../../core/metric/metric.ts"
import type { UnscoredCode } from "../../core/metric/unscored-code.ts"
import type { StoredRow } from "../../core/run/run-store.ts"
import { missingModels, missingModelText } from "../../score/missing-models.ts"
import type { RunWork } from "./run-work.ts"

/** What a worker measures. */
export interface Scoring {
  /** Those that can be measured here; what is missing on this machine is left to the coordinator. */
  readonly metrics: readonly AnyMetric[]
  /** Why the others cannot be measured here. */
  readonly missing: readonly string[]
}

/** Opens the models that metrics were given. */
export async function openScoring(work: Omit<RunWork, "scorer">): Promise<Scoring> {
  const { control, evaluation, ...run } = work.run
  const options = run.defaultEmbedder ? { defaultEmbedder: run.defaultEmbedder } : {}
  const missing = await missingModels(evaluation.metrics, control.signal, options)
  const metrics = without(evaluation.metrics, new Set(missing.flatMap((missingModel) => missingModel.metrics)))
  return { metrics, missing: missing.map(missingModelText) }
}

/** Codes that say what a machine lacks: another may have it. */
const unscorable: ReadonlySet<UnscoredCode> = new Set<UnscoredCode>([
  "missing_package",
  "model_unavailable",
  "no_embedder",
  "not_yet",
])

/** Whether the row holds wherever it was made. */
export function holdsEverywhere({ measured }: StoredRow): boolean {
  return measured.status === "scored" || !unscorable.has(measured.code)
}

/** The metrics without some of them, and without what is computed from those. */
function without(metrics: readonly AnyMetric[], names: ReadonlySet<string>): readonly AnyMetric[] {
  const left = metrics.filter(
    ({ name, dependsOn = [] }) => !names.has(name) && !dependsOn.some((other) => names.has(other)),
  )
  if (left.length === metrics.length) return left
  const gone = metrics.filter((metric) => !left.includes(metric)).map(({ name }) => name)
  return without(left, new Set([...names, ...gone]))
}
