import type { Answer } from "../generation.ts"
import type { JsonValue } from "../json.ts"
import type { ModelRequest, Provider } from "../provider.ts"
import type { Embedder } from "./embedder.ts"
import type { ServiceCaller } from "./metered.ts"

/** A keyed cache that outlives the run (embeddings, judge verdicts). Keys are content hashes. @public */
export interface ContentCache {
  get(key: string): Promise<JsonValue | Uint8Array | undefined>
  set(key: string, value: JsonValue | Uint8Array): Promise<void>
}

/** Called models' answers: judged texts are costed and limited apart from the candidates' calls. @public */
export interface ModelCaller {
  /**
   * One answer of a model, from the cache when the same request was answered before. Retries and limits are the engine's.
   * Does not throw for a service's failure: look at `outcome`.
   * @param purpose the ledger that its cost is booked on: `judge:<name>`, `claims` …
   */
  call(
    provider: Provider,
    request: ModelRequest,
    purpose: string,
  ): Promise<Answer & { readonly replayed: boolean; readonly costUsd: number | null }>
  /** Says that the answer to a request was of no use: it is not taken from the cache the next time. Absent without a cache. */
  forget?(provider: Provider, request: ModelRequest, purpose: string): void
}

/** The other repeats of an answer. @public */
export interface OtherAnswers {
  /** Those in which the model completed an answer, in the order of their repeats. */
  readonly answers: readonly { readonly repeat: number; readonly text: string }[]
  /** Planned repeats that are not answered yet. */
  readonly awaited: number
}

/** What a metric may use while it measures. Everything that reaches outside is passed in here. @public */
export interface MetricTools {
  readonly signal: AbortSignal
  readonly seed: number
  readonly cache: ContentCache
  readonly models: ModelCaller
  /** Absent: nothing limits such services. */
  readonly services?: ServiceCaller
  /** The value of another metric for the same answer: null when it was unscored, undefined when it was not measured. */
  valueOf(metricName: string): number | null | undefined
  /** What another variant of the run answered to the same sample and repeat; null when it has no answer. Absent outside runs. */
  answerOf?(variant: string): string | null
  /** The same variant's other answers to the same sample, its repeats. Absent outside runs. */
  otherAnswers?(): OtherAnswers
  /** Names of the variants' models, so that a judge which is also a candidate can be flagged. */
  readonly candidateModels: readonly string[]
  /** For metrics that were given no embedder of their own; its identity is {@link defaultEmbedderIdentity}. */
  readonly defaultEmbedder?: Embedder
}
