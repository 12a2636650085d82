import type { ClientLoad } from "../../core/client-load.ts"
import type { HttpVersion, Timeouts } from "../../core/provider.ts"
import type { HttpProxy } from "../../platform/proxy.ts"
import type { HttpRequest } from "../connections.ts"
import type { AnswerBatch } from "./answer-batch.ts"

/** What a capture thread is started with. */
export interface WorkerSettings {
  /** Shared: how many requests have ended, their answers handed over or not. */
  readonly ended: Int32Array
  /** Shared with all threads of the pool: how many requests are under way. */
  readonly underWay: Int32Array
}

/** The function that reads a service's events, where they are not OpenAI's: a thread needs its module. */
export interface EventReader {
  /** Address of our own module that exports it. */
  readonly url: string
  readonly name: string
}

/** What many requests have in common: handed over once, and named by its number from there on. */
export interface RequestShape extends Omit<HttpRequest, "body"> {
  /** Number of the endpoint that it goes to. */
  readonly endpoint: number
  readonly timeouts: Timeouts
  readonly maxAnswerBytes: number
}

/** Requests, a place in each list for each. A few long lists cost far less to hand over than as many small objects. */
export interface RequestBatch {
  readonly ids: readonly number[]
  /** Numbers of shapes. */
  readonly shapes: readonly number[]
  /** Monotonic milliseconds before which each is not sent; -Infinity: at once. */
  readonly sendAtMs: readonly number[]
  /** How many may be under way when each is sent: see `CaptureOptions.maxInFlight`. */
  readonly maxInFlight: readonly number[]
  /** Whether each answer may wait until all requests have ended: see `CaptureOptions.answerMayWait`. */
  readonly mayWait: readonly boolean[]
  /** The bytes of short bodies, one behind the other: a few long lists cost the thread's collector less than as many texts. */
  readonly bytes: Uint8Array
  /** Where each body ends in `bytes`; for a long one, its own bytes; null: none. */
  readonly bodies: readonly (number | Uint8Array | null)[]
}

/** Messages to a capture thread. */
export type WorkerCommand =
  /** Names an endpoint, `scheme://host:port`, by a number of which it is the first to hear. */
  | {
      readonly kind: "endpoint"
      readonly number: number
      readonly origin: string
      readonly proxy: HttpProxy | null
      readonly version: HttpVersion
      readonly reader: EventReader | null
    }
  /** Nothing more is sent to an endpoint: its connections are closed. */
  | { readonly kind: "leave"; readonly endpoint: number }
  | { readonly kind: "shape"; readonly number: number; readonly shape: RequestShape }
  | { readonly kind: "capture"; readonly requests: RequestBatch }
  | { readonly kind: "cancel"; readonly id: number }
  /** Opens connections beforehand; answered when they stand or have failed. */
  | { readonly kind: "open"; readonly endpoint: number; readonly count: number }
  /** Answered with what the thread's loop went through since the last such question. */
  | { readonly kind: "load" }
  | { readonly kind: "close" }

/** What a capture thread says. Stamps are of the system's monotonic clock. */
export type WorkerReply =
  | { readonly kind: "ready" }
  | { readonly kind: "answers"; readonly answers: AnswerBatch }
  | { readonly kind: "fault"; readonly id: number; readonly message: string }
  | { readonly kind: "opened" }
  | { readonly kind: "load"; readonly load: ClientLoad }
