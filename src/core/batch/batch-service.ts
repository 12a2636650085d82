import type { Answer } from "../generation.ts"
import type { GenerationParameters, ModelRequest } from "../provider.ts"

/** What one batch may hold at most. @public */
export interface BatchLimits {
  readonly requests: number
  /** Of all its lines together, line feeds included. */
  readonly bytes: number
}

/** A batch that is to be sent. @public */
export interface OutgoingBatch {
  /** Ours, and of this submission only: what the batch is labelled with at the service, where it takes a label. */
  readonly key: string
  readonly requests: number
  readonly bytes: number
  /** Its lines without line feeds, each as {@link BatchService.line} gave it; made anew at each call. */
  lines(): Iterable<string>
}

/** A batch that was, or may have been, sent by an earlier process. @public */
export interface SentBatch {
  readonly key: string
  /** What the ids of its requests begin with. */
  readonly tag: string
  readonly requests: number
  /** What {@link BatchService.upload} gave; null where there was no upload. */
  readonly uploaded: string | null
  /** When it was about to be sent, ISO 8601. */
  readonly sentAt: string
}

/** How a batch ended as a whole. @public */
export type BatchEnd = "completed" | "expired" | "cancelled" | "failed"

/** What a service says of a batch. @public */
export interface BatchStatus {
  /** As the service names it. */
  readonly id: string
  /** In the service's own word: `in_progress`. */
  readonly state: string
  /** Null while the service works on it. */
  readonly end: BatchEnd | null
  /** Requests that are done, well or badly; null where the service does not say. */
  readonly done: number | null
  /** Why it failed as a whole, in the service's words; null where it did not. */
  readonly reason: string | null
  /** Where its results are, in words of the service: ids of files, a path. */
  readonly results: readonly string[]
  /** How long the service asks to wait before the next look, in milliseconds; null where it does not. */
  readonly retryAfterMs: number | null
}

/** Whether a batch that may have been sent is there. @public */
export type FoundBatch =
  | { readonly kind: "found"; readonly status: BatchStatus }
  /** It is not: it may be sent again. */
  | { readonly kind: "none" }
  /** It cannot be told yet: to be asked again later. */
  | { readonly kind: "later"; readonly reason: string }
  /** The service has no way to tell: it must not be sent again unasked. */
  | { readonly kind: "unsearchable"; readonly reason: string }

/** What became of one request of a batch. @public */
export interface BatchResult {
  /** Of the request, as it stands in its line. */
  readonly id: string
  /** Its log holds no stamp: nothing was timed. */
  readonly answer: Answer
}

/**
 * The batch interface of a service, as a session offers it: requests that are answered within hours at a lower price. Every method
 * that asks the service throws {@link BatchError} when that fails.
 * @public
 */
export interface BatchService {
  readonly limits: BatchLimits
  /** Parameters that the endpoint was found to refuse to such requests: kept with a batch, so that its lines can be made again. */
  withheld(parameters: GenerationParameters): readonly string[]
  /** One request as a line of JSON, with the same body that a live call sends, without what is withheld. */
  line(id: string, request: ModelRequest, withheld: readonly string[]): string
  /** Where a batch refers to a file: sends the file and returns its name. Repeated, it costs nothing. */
  upload?(batch: OutgoingBatch, signal: AbortSignal): Promise<string>
  /** Asks for the batch, once: it is never sent again by itself. */
  create(batch: OutgoingBatch, uploaded: string | null, signal: AbortSignal): Promise<BatchStatus>
  /** Looks for a batch that an earlier process may have asked for. */
  find(batch: SentBatch, signal: AbortSignal): Promise<FoundBatch>
  poll(id: string, signal: AbortSignal): Promise<BatchStatus>
  /**
   * What came of its requests, as a stream and in any order; those that nothing came of are left out.
   * @param ids of its requests in the order in which they were sent, for services that answer without ids
   */
  results(status: BatchStatus, ids: readonly string[], signal: AbortSignal): AsyncIterable<BatchResult>
  /** Asks the service to end the batch; what is done by then stays. */
  cancel(id: string, signal: AbortSignal): Promise<void>
}
