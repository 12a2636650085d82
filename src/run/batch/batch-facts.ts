import type { BatchRecord } from "../../core/batch/batch-record.ts"
import type { JsonObject } from "../../core/json.ts"
import type { RunStore } from "../../core/run/run-store.ts"

/** Kind of the run event that says how a batch went. */
export const batchEvent = "batch"

/** What stays on record of a batch that is over. */
export interface BatchFacts
  extends Pick<BatchRecord, "tag" | "key" | "variant" | "id" | "sentAt" | "endedAt" | "end" | "reason"> {
  readonly requests: number
  /** Requests that nothing came of. */
  readonly withoutResult: number
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
