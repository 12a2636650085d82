import type { BatchService } from "./batch/batch-service.ts"
import type { ClientLoad } from "./client-load.ts"
import type { Clock } from "./clock.ts"
import type { Price } from "./cost.ts"
import type { Answer, TokenLogprob } from "./generation.ts"
import type { JsonObject, JsonValue } from "./json.ts"
import type { AudioType, ImageType } from "./media/part.ts"
import type { ChatMessage, ToolDefinition } from "./message.ts"
import type { Sample } from "./sample.ts"

/** How an answer of a stated form is asked for. @public */
export type StructuredMode = "schema" | "json" | "prompt"

/** Sampling parameters; what is absent is left to the endpoint. @public */
export interface GenerationParameters {
  readonly temperature?: number
  readonly topP?: number
  readonly maxTokens?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  /** How long a reasoning model may think, in the service's own words: `minimal`, `low`, `medium`, `high` … */
  readonly effort?: string
  /** Ask for the log-probability of each token, with this many alternatives (0..20; of given texts local models and llama.cpp's server list 1,000, vLLM its `--max-logprobs`). */
  readonly topLogprobs?: number
  readonly tools?: readonly ToolDefinition[]
  /** JSON schema that the answer must follow. */
  readonly jsonSchema?: { readonly name: string; readonly schema: JsonObject }
  /**
   * How the JSON of {@link jsonSchema} is asked for. `schema`: the service enforces it. `json`: the service's JSON mode, which promises JSON
   * of any form; the schema stands in the prompt. `prompt`: the prompt alone. Default: `schema`.
   */
  readonly structured?: StructuredMode
  /** Sent as it is, beside the rest (`reasoning_effort`, `top_k` …). */
  readonly extra?: JsonObject
}

/** One call. @public */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[]
  readonly parameters: GenerationParameters
}

/** How long to wait, in milliseconds, before a request is abandoned. @public */
export interface Timeouts {
  readonly connectMs: number
  readonly firstTokenMs: number
  /** Between two events of a stream. */
  readonly gapMs: number
  readonly totalMs: number
}

/** What a session needs for one request. @public */
export interface RequestOptions {
  readonly signal: AbortSignal
  readonly timeouts: Timeouts
  readonly clock: Clock
  /** `clock.now()` of the log's origin: stamps are written relative to it. */
  readonly originMs: number
  /** `clock.now()` when the plan wanted the request to start. */
  readonly scheduledMs: number
  /** `clock.now()` before which it is not sent: a session that {@link ProviderSession.holdsRequests} keeps it until then. */
  readonly sendAtMs?: number
  /** One that is held waits beyond its moment while so many of the session are under way; absent: for none. */
  readonly maxInFlight?: number
  /** The answer may be handed over long after it has ended, together with others: nobody waits for it alone. */
  readonly answerMayWait?: boolean
  /** Sample and repeat that are asked: what recorded answers are found by, and what an application is given. */
  readonly sampleId?: string
  readonly sample?: Sample
  readonly repeat?: number
}

/** What the serving process used; null with a reason where it cannot be seen. @public */
export interface ResourceUsage {
  readonly peakRssBytes: number | null
  /** Peak minus the RSS before the first request. */
  readonly rssOverIdleBytes: number | null
  readonly cpuSeconds: number | null
  /** Of the GPUs that run a process of the variant. Power, use and energy count only while the server has requests. */
  readonly gpu: {
    /** What its processes held; in older records what all processes held. Null where the driver does not say. */
    readonly peakMemoryBytes: number | null
    /** The same when the server was ready and had had no request. */
    readonly memoryAfterLoadBytes?: number | null
    /** 0..1; null where it was not read while the server had requests. */
    readonly meanUtilisation: number | null
    /** Energy while the server had requests; in older records of the whole session. Null when a report lacked the power. */
    readonly energyJoules: number | null
    /** Standard error of `energyJoules` from reading the power ten times a second. */
    readonly energyErrorJoules?: number | null
    /** The driver states the mean power of the last second: answers that are shorter mix with the idle time beside them. */
    readonly powerIsMean?: boolean
    /** Shares of the readings while the server had requests in which heat or the hardware, and the limit of power, held the clocks down; absent: not stated. */
    readonly slowedByHeat?: number
    readonly slowedByPowerLimit?: number
    /** The hottest reading while the server had requests; null: not stated. Absent in older records, as the limit. */
    readonly peakTemperatureCelsius?: number | null
    /** Watts that all of the GPUs together may draw; null: not stated. */
    readonly powerLimitWatts?: number | null
    /** Each once, however many GPUs have it. */
    readonly names?: readonly string[]
    /** How many GPUs ran a process of the server; absent in older records. */
    readonly count?: number
    readonly driver?: string | null
    /** Processes of others on the same GPUs: their power cannot be told apart. */
    readonly sharedWith?: number
    /** Whether reports came densely enough all the time for that integral to be trusted; absent in older records. */
    readonly energyIsValid?: boolean
    /** Why the energy is null or not to be trusted; absent where it is, and in older records. */
    readonly energyReason?: string
    readonly meanPowerWatts?: number | null
  } | null
  /** Of the machine's processors while the server had requests; absent in older records. */
  readonly cpuEnergy?: {
    /** All packages, other programs' share included; null where it cannot be read. */
    readonly joules: number | null
    /** What was read, for a footnote; absent in older records, which have RAPL's counters. */
    readonly source?: string
    /** From how often the counters move. */
    readonly errorJoules: number | null
    readonly reason: string | null
  }
  /** How long the server had requests, in milliseconds; absent in older records. */
  readonly servingMs?: number
  /** Size of the model's file, when it is local. */
  readonly modelBytes: number | null
  /** From start to ready. */
  readonly loadMs: number | null
  /** Inside `loadMs`: what the server's log says that downloading the model took; absent or null where it says nothing. */
  readonly downloadMs?: number | null
  /** Of the first request that the server had once it was ready, in milliseconds to its first token; absent in older records. */
  readonly firstTokenMs?: number | null
  /** Tokens that the model holds at once, as its server states it; absent in older records. */
  readonly contextTokens?: number | null
  /** Why something above is null. */
  readonly reason: string | null
}

/** An open connection to a model: a client, or a server that was started for it. @public */
export interface ProviderSession {
  /** One attempt, no retries. Resolves for every failure of the service; rejects only for a fault of evalkit. */
  request(request: ModelRequest, options: RequestOptions): Promise<Answer>
  /**
   * Log-probabilities of the tokens of a given text (perplexity), each with this many alternatives (default 1); absent where
   * the endpoint cannot. Throws {@link ScoringError} when it fails.
   */
  scoreText?(text: string, signal: AbortSignal, alternatives?: number): Promise<readonly TokenLogprob[]>
  /** The same of a given answer to these messages (perplexity of references), with 20 alternatives by default. */
  scoreAnswer?(
    messages: readonly ChatMessage[],
    answer: string,
    signal: AbortSignal,
    alternatives?: number,
  ): Promise<readonly TokenLogprob[]>
  /** Opens this many connections beforehand, so that no measured request has to connect; absent where nothing connects. */
  warm?(connections: number, signal: AbortSignal): Promise<void>
  /** How requests are captured: `undici, 2 capture threads, HTTP/2`; absent where nothing is sent. */
  transport?(): string
  /** Whether answers have come over HTTP/2; absent where that cannot be. */
  spokeHttp2?(): boolean
  /** Whether a request with `sendAtMs` may be handed over before its moment, at which it is sent more exactly than the caller could. */
  readonly holdsRequests?: true
  /** Requests that have not ended, those held included; an answer that waits to be handed over has ended. Absent: not counted. */
  unended?(): number
  /** What the capture threads' event loops went through since the last call; null while requests are captured in this process. */
  captureLoad?(): Promise<ClientLoad | null>
  /** Tokens that the model holds at once, as the endpoint states it; null where it does not. */
  contextWindow?(signal: AbortSignal): Promise<number | null>
  /**
   * The text of the server's `/metrics` as it is now; null where there is none or it did not come in time.
   * @param isKnown whether a text is the metrics of a program that can be read
   * @param isUnasked nobody asked for it: only at the address that the config states, or of a server on this machine or in its network
   */
  metricsText?(signal: AbortSignal, isKnown: (text: string) => boolean, isUnasked?: boolean): Promise<string | null>
  /** The service's batch interface; absent where it has none. */
  readonly batches?: BatchService
  /** What a server that was started for the session says it serves; null where it says nothing, absent for other endpoints. */
  servedIdentity?(): JsonObject | null
  /** What was used since the session opened. */
  resources(): Promise<ResourceUsage>
  /** What the endpoint was found to lack or to refuse, each noted once: `logprobs: …`; with parameters: only what concerns such requests. */
  notes(parameters?: GenerationParameters): readonly string[]
  /** Stops what was started, by its process id. Idempotent. */
  close(): Promise<void>
}

/** How requests are sent and their answers stamped. @public */
export interface CaptureSettings {
  /** `sdk`: the `openai` package over a tapped fetch; `undici`: stamps only. */
  readonly transport: "sdk" | "undici"
  /** Threads that do nothing but capture; `auto`: as many as the load needs; 0: in the process itself. Only with `undici`. */
  readonly threads: number | "auto"
  /** Only with `undici`. Absent: as the provider says, and `auto` where it says nothing. */
  readonly httpVersion?: HttpVersion
}

/**
 * Which HTTP is spoken. `auto`: over TLS what the server chooses of HTTP/2 and HTTP/1.1 (ALPN), without TLS HTTP/1.1. `1.1` and `2`: that one,
 * or none.
 * @public
 */
export type HttpVersion = "auto" | "1.1" | "2"

/** What a provider may use to open. @public */
export interface OpenContext {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Environment for keys; keys are never stored, logged or rendered. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folder for what is made once and kept (quantized models). */
  readonly cacheDirectory: string
  /** How a performance run wants requests captured, whatever the provider's own options say. */
  readonly capture?: CaptureSettings
  /** One line for people: "quantizing …", "waiting for http://…". */
  progress(message: string): void
}

/** Pictures and recordings that an interface takes, by its published limits. @public */
export interface MediaSupport {
  readonly images?: {
    readonly types: readonly ImageType[]
    /** Whether the service fetches a picture from its address. */
    readonly urls: boolean
    /** Pictures of one request. */
    readonly most: number
    /** Bytes of one picture. */
    readonly maxBytes: number
    /** Pixels of a picture's longer side; absent where none is stated. */
    readonly maxSide?: number
  }
  readonly audio?: { readonly types: readonly AudioType[]; readonly maxBytes: number }
  /** Bytes of all of one request together. */
  readonly maxTotalBytes: number
}

/**
 * What the engine may count on with a provider; what is absent is not so. A provider that wraps another hands them on.
 * @public
 */
export interface ProviderTraits {
  /** Answers and their timings are read from a record: nothing is asked, nothing is measured. */
  readonly isRecord?: boolean
  /** Runs on machines of the user's own: a call costs nothing where no price is stated. */
  readonly isFreePerCall?: boolean
  /** The identity holds the content of the model: two identities are two models, however alike they answer. */
  readonly identifiesContent?: boolean
  /** How its requests are sent where a run does not say; default `sdk`. */
  readonly transport?: CaptureSettings["transport"]
  /** An application of the user's own: what it sends to which model is not known beforehand, and the rendered prompt is not it. */
  readonly sendsItsOwn?: boolean
  /** The GGUF file that is served. */
  readonly modelFile?: string
  /** Its sessions have `batches`. */
  readonly takesBatches?: boolean
  /** The providers that it asks, where it asks several. */
  readonly members?: readonly Provider[]
  /** What it takes besides words; absent: nothing. Of several providers, what all of them take. */
  readonly media?: MediaSupport
  /** Lifetime of what its calls ask to be written into the service's cache; absent: they ask for none. */
  readonly promptCache?: "5m" | "1h"
  /** Service tier that its calls ask for; absent: none. */
  readonly serviceTier?: string
  /** Name of the service in the price book; null where `kind` names a protocol only. Default: `kind`. */
  readonly service?: string | null
}

/** Where answers come from. A value in the config; nothing happens before `open`. @public */
export interface Provider {
  /** For people and the price book: `openai`, `local`, `command`, `recorded` …; what it can do is in `traits`. */
  readonly kind: string
  readonly traits?: ProviderTraits
  /** The model as the endpoint names it. */
  readonly model: string
  /** For people: `openai gpt-4o-mini`, `tiny-m Q8_0`. */
  readonly label: string
  /** What shares limits and a circuit breaker: host and port, or a process of its own. */
  readonly endpoint: string
  /** Everything that changes an answer, without secrets: part of the variant's fingerprint and of the cache key. */
  readonly identity: JsonValue
  /**
   * What else changes an answer and may hold secrets: values of headers and of environment variables, a working directory.
   * A function, so that no copy of a provider holds it; only a hash of it, keyed with a random key of the store, is in keys of that store.
   */
  privateIdentity?(): JsonValue
  readonly quantization?: string
  /** Only one server of this kind may run at a time. */
  readonly exclusive?: boolean
  /** Variants that share a lane are measured one at a time, in turns (servers on one machine). Default: `endpoint`. */
  readonly lane?: string
  /** What its tokens cost where no variant says so: judges, claim splitters. */
  readonly price?: Price | null
  /** Requests that it serves at once; more would only wait in its queue. */
  readonly concurrency?: number
  open(context: OpenContext): Promise<ProviderSession>
}
