import type { BatchEnd } from "../../core/batch/batch-service.ts"
import type { JsonObject } from "../../core/json.ts"
import type { RunStore } from "../../core/run/run-store.ts"

/** Kind of the run event that says how a batch went. */
export const batchEvent = "batch"

/** What stays on record of a batch that is over. */
export interface BatchFacts {
  readonly tag: string
  readonly key: string
  readonly variant: string
  /** As the service names it. */
  readonly id: string | null
  readonly requests: number
  /** Requests that nothing came of. */
  readonly withoutResult: number
  /** ISO 8601. */
  readonly sentAt: string
  /** When the run had all its results; ISO 8601. */
  readonly endedAt: string | null
  readonly end: BatchEnd | null
  readonly reason: string | null
}

/** The facts as the data of an event. */
export function factsData(facts: BatchFacts): JsonObject {
  return { ...facts }
}

/** Batches of a run that are over, in the order in which they ended. */
export function batchesOver(store: Pick<RunStore, "events">, runId: string): readonly BatchFacts[] {
  const facts: BatchFacts[] = []
  for (const { kind, data } of store.events(runId)) if (kind === batchEvent) facts.push(data as unknown as BatchFacts)
  return facts
}
