import type { Exchange, Interruption } from "../capture/exchange.ts"
import type { Price } from "../core/cost.ts"
import type { Timeouts } from "../core/provider.ts"
import type { Budget } from "../core/run/evaluation.ts"
import type { Spent } from "../cost/budget.ts"
import type { Constraint } from "../estimate/constraints.ts"
import type { CandidateModel } from "./chat-request.ts"
import type { SkipReason } from "./skip-reason.ts"
import type { StopFinding } from "./stop-rule.ts"

/** The primary's exchange as it went through the proxy, in one piece of memory that a thread can be given. */
export interface RecordedExchange extends Omit<Exchange, "chunks" | "lost" | "interruption" | "headers"> {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each chunk ends in `bytes`. */
  readonly ends: readonly number[]
  /** Lower-case names. */
  readonly headers: readonly (readonly [string, string])[]
  readonly interruption: Interruption | null
}

/** A drawn request with the primary's answer to it. */
export interface MirroredCall {
  readonly id: number
  readonly body: Uint8Array<ArrayBuffer>
  readonly cluster: string
  /** When it was sent, in milliseconds since 1970. */
  readonly sentAtMs: number
  readonly primary: RecordedExchange
  /** Values of headers that are never stored: the caller's key. */
  readonly secrets: readonly string[]
}

/** What the mirror is started with. */
export interface MirrorSettings {
  /** Of the pairs and of what was spent. */
  readonly folder: string
  /** Host of the primary, for the price book and the record. */
  readonly primaryHost: string
  readonly candidate: CandidateModel & {
    readonly baseUrl: string
    readonly apiKey: string | null
    readonly price: Price | null
  }
  readonly timeouts: Timeouts
  readonly budget: Budget
  /** Requests of the candidate in flight. */
  readonly maxConcurrency: number
  /** ISO 3166 codes of the countries whose national phone numbers are found. */
  readonly countries: readonly string[] | undefined
  /** Makes pseudonyms and the names of clusters. */
  readonly pseudonymKey: Uint8Array
  readonly stopWhen: readonly Constraint[]
  readonly stopCalls: number
}

/** What the mirror tells. */
export type MirrorMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "ended"; readonly id: number; readonly skipped: SkipReason | null; readonly spent: Spent }
  /** A pair that is stored, whose candidate failed: by its status, else its class. */
  | { readonly kind: "failed"; readonly failure: string }
  | { readonly kind: "stopped"; readonly finding: StopFinding }
  | { readonly kind: "drained" }

/** What is sent to the mirror. */
export type MirrorCommand =
  | { readonly kind: "call"; readonly call: MirroredCall }
  /** Send nothing more; end what is in flight, at once where `isNow`. */
  | { readonly kind: "drain"; readonly isNow: boolean }
