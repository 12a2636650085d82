/**
 * What a server's `/metrics` said over the times in which a variant was served, as sums that can be added up over parts of a run. Times are
 * milliseconds, shares 0..1. What the server does not state is absent.
 * @experimental
 */
export interface ServerTotals {
  /** `vLLM`, `SGLang`, `llama.cpp`, `TGI`, `Triton`, `TensorRT-LLM`, `LMDeploy`. */
  readonly dialect: string
  /** A counter fell meanwhile: the server was started anew, and no difference of its counters says anything. */
  readonly restarted: boolean
  /** By counter or time: its growth, and over how many requests (times) or readings (counters). */
  readonly sums: Readonly<Record<string, { readonly value: number; readonly count: number }>>
  /** By gauge. */
  readonly gauges: Readonly<Record<string, { readonly sum: number; readonly n: number; readonly most: number }>>
  /** By time: how many requests took at most so many milliseconds (the key, `Infinity` for all); absent in older records. */
  readonly buckets?: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** What the client sent and saw in the same times; absent where it did not count. */
  readonly client?: ClientTotals
}

/** The client's side of the same times. @experimental */
export interface ClientTotals {
  /** Requests that were sent, failed ones and retries included. */
  readonly requests: number
  /** Those of them that were not answered; absent in older records. */
  readonly failed?: number
  /** Answers of which the time to the first token is known, and the sums of their times in milliseconds. */
  readonly answers: number
  readonly ttftMs: number
  readonly e2eMs: number
}
