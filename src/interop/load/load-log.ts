import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignTool } from "../../core/foreign/foreign-log.ts"
import type { Answer } from "../../core/generation.ts"

/** A level of load of a load tool's log. */
export interface LoadLogLevel {
  /** Requests in flight, or requests a second, as the tool was told; both null where the log does not say. */
  readonly concurrency: number | null
  readonly rate: number | null
  /** Figures that the tool itself states, by its own names: they keep its own definitions. */
  readonly stated: Readonly<Record<string, number>>
  /** The log stamps when each chunk came: gaps between tokens can be told. */
  readonly hasGaps: boolean
  /** The log stamps when each request began: throughput can be told. */
  readonly hasStarts: boolean
  /** Requests as the tool counts them, where the log holds none of them, or a part. */
  readonly counts?: { readonly requests: number; readonly answered: number } | undefined
}

/** A request of a level. Its log is in milliseconds from the first start of the level, where starts are known. */
export interface LoadedRequest {
  /** Which of the levels, from 0. */
  readonly level: number
  readonly answer: Answer
  readonly where: string
}

/** The log of a load tool. */
export interface LoadLog {
  readonly tool: ForeignTool
  /** The tool's name as its makers write it. */
  readonly name: string
  readonly file: string
  readonly model: string
  readonly levels: readonly LoadLogLevel[]
  readonly notes: readonly string[]
  /** The log holds figures only. */
  readonly isSummary?: boolean
  /** A new pass over the requests; none where the log holds figures only. */
  requests(): AsyncIterable<LoadedRequest | SkippedRow>
}
