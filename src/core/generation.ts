import type { Cost } from "./cost.ts"
import type { Episode } from "./episode/episode.ts"
import type { JsonObject, JsonValue } from "./json.ts"
import type { ToolCall } from "./message.ts"
import type { Outcome } from "./outcome.ts"
import type { ParameterDifference } from "./parameter-difference.ts"
import type { StatedLimits } from "./rate-limits.ts"
import type { RequestLog } from "./request-log.ts"
import type { Usage } from "./usage.ts"

/** A token of the answer with its natural-log probability and the alternatives that the server gave. @public */
export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly top: readonly { readonly token: string; readonly logprob: number }[]
}

/** Why a request failed, bounded in length; never holds a key. @public */
export interface Failure {
  readonly message: string
  readonly code?: string
  /** Where a function of the user's own threw. */
  readonly stack?: string
}

/** A passage in a stage of a pipeline: its text, or an id with or without it. @public */
export type StagePassage = string | { readonly id?: string; readonly text?: string }

/** What an application gave beside its text: metrics, `show` and the page see it. @public */
export interface Returned {
  /** The passages that it retrieved and answered from, best first. */
  readonly passages?: readonly string[]
  /** The passages that its stages had at their ends, by the stage's name, in the order of the pipeline. */
  readonly stages?: Readonly<Record<string, { readonly passages: readonly StagePassage[] }>>
  /** Everything else that it named, as JSON. */
  readonly fields?: JsonObject
}

/** What one attempt brought: a provider returns exactly one, and does not throw for a service's failure. @public */
export interface Answer {
  readonly outcome: Outcome
  /** The text of the answer, possibly partial when the outcome is a failure. */
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  /** `null` when the endpoint gave none. Of a stored answer they are read at the first look at them. */
  readonly logprobs: readonly TokenLogprob[] | null
  /** Why the endpoint ended the answer, in its words; null when it did not say, and for a given text. */
  readonly finishReason: string | null
  /** The text was given to the model to be scored, not written by it: only its log-probabilities are the model's. */
  readonly isGivenText?: boolean
  readonly usage: Usage
  readonly log: RequestLog
  readonly httpStatus: number | null
  readonly failure: Failure | null
  /** Requests before this one that a closing connection swallowed, oldest first: attempts, too. Absent where there was none. */
  readonly lost?: readonly Attempt[]
  /** Requests before this one that the service refused for parameters which were then left out: no failed attempts. */
  readonly refused?: readonly Attempt[]
  /** How what was sent differs from what was asked for; absent where it does not. */
  readonly differences?: readonly ParameterDifference[]
  /** How long the server asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | null
  /** What an application of the user's own returned beside the text; absent for models. */
  readonly returned?: Returned
  /** Who gave it, where a provider asks several: the member's label. */
  readonly answeredBy?: string
  /** What the service said that it allows the key; absent where it said nothing. */
  readonly limits?: StatedLimits
  /** The model's name as the server stated it. */
  readonly servedModel: string | null
  /** Server-side timings or fingerprints as they were given. */
  readonly server: JsonValue
}

/** An earlier attempt of a generation that was retried: its log and its class stay on record. @public */
export interface Attempt {
  readonly outcome: Outcome
  readonly log: RequestLog
  readonly httpStatus: number | null
  readonly failure: Failure | null
  readonly usage: Usage
}

/** What stays on record of an answer that another attempt follows. @experimental */
export function attemptOf({ outcome, log, httpStatus, failure, usage }: Attempt): Attempt {
  return { outcome, log, httpStatus, failure, usage }
}

/**
 * Where an answer came from. Only `measured` has latency that counts; `recorded` has timings read from a file;
 * `replayed` came out of the response cache; `foreign` is an output that another tool made; `batch` came through a service's batch
 * interface, which times nothing.
 * @public
 */
export type GenerationSource = "measured" | "replayed" | "recorded" | "foreign" | "batch"

/** One answer of one variant to one sample. The latency of a `replayed` one never enters a percentile. @public */
export interface Generation extends Omit<Answer, "retryAfterMs" | "lost" | "limits"> {
  readonly variant: string
  readonly sampleId: string
  /** 0, 1, 2 … when a sample is asked several times. */
  readonly repeat: number
  readonly source: GenerationSource
  /** Part of the run that one process did; stamps of different segments have different origins. */
  readonly segment: number
  /**
   * The first call of its session, or one that opened a connection before the session had its first answer: the service may
   * have been cold, and its latency counts only where there is no other. Absent where it was not.
   */
  readonly isCold?: boolean
  /** Asked live only to try the endpoint before a batch was sent: its latency counts in no figure. Absent where it was not. */
  readonly isTrial?: boolean
  /** Tag of the batch that it came in; absent where it came in none. */
  readonly batch?: string
  /**
   * What happened on the way, where the answer is that of a conversation or an agent. Then `text` is the last answer, `toolCalls` are
   * all calls in order, `usage` and `cost` are sums over all steps, and `log` has the time of the steps without the waits between.
   */
  readonly episode?: Episode
  /** Name of the worker that asked, where several answered the run; absent where one process did. */
  readonly worker?: string
  /** Position in the plan: the block and order in which it was started. */
  readonly position: number
  /** Attempts that failed before this one, and those of another worker that came second. */
  readonly retries: readonly Attempt[]
  readonly cost: Cost
  /** What of the log-probabilities was left out, because they were larger than what is kept of one answer; absent: nothing. */
  readonly cutLogprobs?: "alternatives" | "all"
  /** Fields that a foreign row carries for figures that read them. */
  readonly given?: {
    readonly confidence?: number
    readonly correct?: number
    readonly prediction?: JsonValue
  }
}
