import type { JsonObject } from "../../core/json.ts"
import type { RunEvent, VariantState } from "../../core/run/run-record.ts"
import type { ClientError } from "../../perf/client/self-calibration.ts"
import type { ClockOffset } from "./clock-offset.ts"

/** What a worker says of itself with every sign of life. */
export interface WorkerData {
  readonly version: string
  /** Answers that it stored, and those that the store refused because another worker's was first. */
  readonly answered: number
  readonly refused: number
  /** Scores that it made. */
  readonly scored: number
  /** Answers a second over the last seconds. */
  readonly perSecond: number
  /** US dollars that its calls cost so far; null where a price is unknown, or runs with time. */
  readonly spentUsd: number | null
  /** It waits for room in the budget. */
  readonly isShort: boolean
  /** It takes no more slices of this run. */
  readonly hasEnded: boolean
  /** Why it cannot go on; null where it can. */
  readonly failure: string | null
  /** Why what it would answer would be judged by nobody; null where somebody judges. */
  readonly stopReason: string | null
  /** What the coordinator keeps on record in its place, each once. */
  readonly events: readonly Pick<RunEvent, "kind" | "data">[]
  /** How late its timers came lately at most, in milliseconds: what its time stamps may be wrong by. */
  readonly lagMs: number
  /** How far its clock is from the store's; null until it was measured. */
  readonly clock: ClockOffset | null
  /** Whether it took times itself; false where all answers were recorded or cached. */
  readonly isTimed: boolean
  /** Its own timing error at the load of the run; null until it was measured. */
  readonly clientError: ClientError | null
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
