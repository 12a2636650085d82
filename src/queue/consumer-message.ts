import type { SliceJob } from "../core/run/slice-queue.ts"
import type { QueueLocation } from "./location.ts"

/** What the thread of a consumer is started with. */
export interface ConsumerSettings {
  readonly location: QueueLocation
  readonly name: string
  readonly slices: number
}

/** What the thread says. */
export type ConsumerEvent =
  | { readonly kind: "job"; readonly number: number; readonly job: SliceJob }
  | { readonly kind: "ready" }
  | { readonly kind: "fault"; readonly message: string }
  | { readonly kind: "closed" }

/** What is sent to it. */
export type ConsumerOrder =
  | { readonly kind: "done"; readonly number: number; readonly fault: string | null }
  | { readonly kind: "close" }
