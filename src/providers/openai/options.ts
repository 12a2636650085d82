import type { Price } from "../../core/cost.ts"
import { UsageError } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import { oneAnswerAdvice, severalAnswersField } from "../../core/known-options.ts"
import type { CaptureSettings, HttpVersion } from "../../core/provider.ts"

/**
 * How bytes are moved: `sdk` is the `openai` package over a fetch of ours that stamps bytes first (what users' code does);
 * `undici` only stamps while the request runs (performance runs). Both feed the same recorder.
 * @public
 */
export type Transport = CaptureSettings["transport"]

/**
 * What an endpoint can do. `false`: never asked for, noted once when a request wanted it. Absent: asked for, and given up
 * after the first refusal.
 * @public
 */
export interface EndpointFeatures {
  readonly logprobs?: boolean
  /** `stream_options: {include_usage: true}`; `"unasked"`: token counts come by themselves, and are not asked for. */
  readonly streamUsage?: boolean | "unasked"
  readonly seed?: boolean
  /** `response_format` of type `json_schema`. */
  readonly jsonSchema?: boolean
  /** Pictures in prompts. Default true: an endpoint that does not see refuses. */
  readonly images?: boolean
  /** Pictures by their address, which the endpoint fetches. Default true. */
  readonly imageUrls?: boolean
  /** Recordings in prompts (`input_audio`). Default: as the service's documentation says. */
  readonly audio?: boolean
  /** `/files` and `/batches`, for `evalkit run --batch`. Default: as the service is known to have, and true for `openai`. */
  readonly batches?: boolean
  /** `/completions` with `echo` and `logprobs`: log-probabilities of a given text. Default false. */
  readonly echoLogprobs?: boolean
  /** llama.cpp's `/tokenize` and `/completion` beside `/v1`: log-probabilities of a text that a grammar forces. Default false. */
  readonly forcedLogprobs?: boolean
}

/** Options of {@link openai} and, except `baseUrl`, of every preset. @public */
export interface OpenaiOptions {
  /** The model as the endpoint names it. */
  readonly model: string
  /**
   * The interface that is asked: chat completions, or the Responses API, which hands a model's reasoning back with the results of its tools. It
   * has no seed, no stop texts and no recordings. Default `chat`.
   */
  readonly api?: "chat" | "responses"
  /** With the version path. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string
  /** `baseUrl`, as OpenAI's SDK spells it. */
  readonly baseURL?: string
  /** Environment variable that holds the key; `null` for an endpoint without keys. Default `OPENAI_API_KEY`. */
  readonly apiKeyVariable?: string | null
  /** Sent with each request. Values of headers that look secret stay out of every record. */
  readonly headers?: Readonly<Record<string, string>>
  /** For reports. Default: the host and the model. */
  readonly label?: string
  readonly quantization?: string
  /** What its tokens cost where no variant says so: a judge, a model that checks claims. Absent: unknown. */
  readonly price?: Price
  /** Default `sdk`. */
  readonly transport?: Transport
  /**
   * Threads that do nothing but send and stamp: reading answers and scoring then cannot delay a stamp. `auto`: all variants of a run share
   * threads, as many as the load needs; a number: so many of its own; 0: in the process itself. Default `auto`.
   */
  readonly captureThreads?: number | "auto"
  /**
   * With the `undici` transport. Default `auto`: HTTP/2 where an `https:` server chooses it, else HTTP/1.1. Over HTTP/2 up to a hundred
   * requests share a connection, so that one may wait for the bytes of others; each answer says in `server.protocol` that it came so.
   */
  readonly httpVersion?: HttpVersion
  readonly features?: EndpointFeatures
  /** `max_completion_tokens` where the endpoint refuses the older name. Default `max_tokens`. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens"
  /** Mistral's name for it differs. Default `seed`. */
  readonly seedField?: "seed" | "random_seed"
  /** Merged into the body of each request. */
  readonly extraBody?: JsonObject
  /** Where the server's Prometheus metrics are, for `evalkit bench`. Default: `/metrics` beside `/v1`. */
  readonly metricsUrl?: string
  /** Bytes of one answer that are kept before it counts as malformed. Default 64 MiB. */
  readonly maxAnswerBytes?: number
}

/** @throws {UsageError} for a body that asks for several answers */
export function refuseSeveralAnswers(maker: string, extraBody: JsonObject | undefined): void {
  const field = severalAnswersField(extraBody)
  if (field !== null)
    throw new UsageError(`${maker}: several answers at once are not read`, {
      where: `extraBody.${field}: ${JSON.stringify(extraBody?.[field])}`,
      hint: oneAnswerAdvice,
    })
}
