import type { JsonObject } from "../../core/json.ts"
import type { VariantState } from "../../core/run/run-record.ts"

/** What a worker says of itself with every sign of life. */
export interface WorkerData {
  readonly version: string
  /** Answers that it stored, and those that the store refused because another worker's was first. */
  readonly answered: number
  readonly refused: number
  /** Answers a second over the last seconds. */
  readonly perSecond: number
  /** It waits for room in the budget. */
  readonly isShort: boolean
  /** It takes no more slices of this run. */
  readonly hasEnded: boolean
  /** Why it cannot go on; null where it can. */
  readonly failure: string | null
  /** How late its timers came lately at most, in milliseconds: what its time stamps may be wrong by. */
  readonly lagMs: number
  /** What is known of its sessions, by variant. */
  readonly states: Readonly<Record<string, VariantState>>
}

/** As the store keeps it. */
export function encodeWorkerData(data: WorkerData): JsonObject {
  return JSON.parse(JSON.stringify(data)) as JsonObject
}

/** What the store kept. */
export function decodeWorkerData(data: JsonObject): WorkerData {
  return data as unknown as WorkerData
}
