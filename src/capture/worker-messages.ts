import type { ClientLoad } from "../core/client-load.ts"
import type { Timeouts } from "../core/provider.ts"
import type { HttpRequest } from "./connections.ts"
import type { PackedExchange } from "./packed-exchange.ts"

/** What a capture thread is started with. */
export interface WorkerSettings {
  /** `scheme://host:port` */
  readonly origin: string
}

/** What a capture thread is told. */
export type WorkerCommand =
  | {
      readonly kind: "capture"
      readonly id: number
      readonly request: HttpRequest
      readonly timeouts: Timeouts
      readonly maxAnswerBytes: number
      /** Monotonic milliseconds before which it is not sent; absent: at once. */
      readonly sendAtMs?: number
    }
  | { readonly kind: "cancel"; readonly id: number }
  /** Answered with what the thread's loop went through since the last such question. */
  | { readonly kind: "load" }
  | { readonly kind: "close" }

/** What a capture thread says. Stamps are of the system's monotonic clock. */
export type WorkerReply =
  | { readonly kind: "ready" }
  | { readonly kind: "captured"; readonly id: number; readonly packed: PackedExchange }
  | { readonly kind: "fault"; readonly id: number; readonly message: string }
  | { readonly kind: "load"; readonly load: ClientLoad }
