import type { ClientLoad } from "../../core/client-load.ts"
import type { Price } from "../../core/cost.ts"
import type { Answer } from "../../core/generation.ts"
import type { StartClock } from "../../perf/bench/load-worker.ts"
import type { Slo } from "../../perf/bench/slo.ts"
import type { ClientError } from "../../perf/client/self-calibration.ts"
import type { ContextWindow } from "../../perf/context-use.ts"
import type { LoadShard } from "../../perf/load/load-shard.ts"

/** What must be the same for every worker that shares a load. */
export interface SharedSettings {
  readonly evalkit: string
  readonly variant: string
  readonly endpoint: string
  readonly price: Price | null
  readonly slo: readonly Slo[]
  readonly availabilityTarget: number
  readonly fixedLength: boolean
  /** Of what the whole load's arrivals were drawn. */
  readonly arrivals: string
  readonly seed: number
  readonly requests: number
  /** Fingerprint of all moments at which requests are due. */
  readonly schedule: string
  /** Fingerprint of some of the requests, spread over the whole load. */
  readonly prompts: string
  readonly workers: number
  readonly startAt: string
}

/** One request of a worker. */
export interface ShardRequest {
  /** Place in the whole load. */
  readonly place: number
  /** When it was due, in milliseconds after the start of all. */
  readonly dueMs: number
  /** Most tokens that its answer was to have; null: no limit. */
  readonly askedTokens: number | null
  /** Without its texts, which no figure needs. Its stamps count from the start of all. */
  readonly answer: Answer
}

/** What one worker measured of a load that several shared. */
export interface ShardRecord {
  readonly shard: LoadShard
  readonly settings: SharedSettings
  readonly host: string
  readonly contextWindow: ContextWindow | null
  readonly clock: StartClock
  readonly durationMs: number
  readonly clientError: Omit<ClientError, "load"> | null
  readonly clientLoad: ClientLoad
  readonly transport: string | null
  readonly remarks: readonly string[]
  readonly requests: readonly ShardRequest[]
}

/** An answer without what no figure of a load is made from. */
export function withoutTexts({ limits: _, returned: __, ...answer }: Answer): Answer {
  return { ...answer, text: "", reasoning: "", toolCalls: [], logprobs: null }
}
