import type { JsonObject } from "../../core/json.ts"
import type { OwnModule } from "../../platform/own-module.ts"

/** Threads that may measure texts beside this one. @experimental */
export interface ScoringThreads {
  /** How many, at most. */
  readonly most: number
  /** How many are started at once; null: `most`, once what is left is worth their start. */
  readonly wanted: number | null
  /** What each runs: it makes the metrics from `{ metrics }` and scores parts; see `workerPool`. */
  readonly module: OwnModule
}

/** What a thread makes its metrics of. */
export interface ScoringThreadData extends JsonObject {
  readonly metrics: readonly { readonly metric: string; readonly options: JsonObject; readonly signature: string }[]
}
