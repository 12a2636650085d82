import type { TokenPrice } from "../../core/cost.ts"
import { EvalkitError, messageOf, UsageError } from "../../core/errors.ts"
import type { Embedder } from "../../core/metric/embedder.ts"
import type { Metered } from "../../core/metric/metered.ts"
import { checkOptions } from "../../core/options.ts"
import { openApiClient } from "../../providers/openai/api-client.ts"
import { plainBaseUrl, withBaseUrl } from "../../providers/openai/base-url.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { coalesce } from "./coalesce.ts"

/** Options of {@link openaiEmbeddings}. @public */
export interface OpenaiEmbeddingsOptions {
  /** The model as the endpoint names it. */
  readonly model: string
  /** With the version path. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string
  /** `baseUrl`, as OpenAI's SDK spells it. */
  readonly baseURL?: string
  /** Environment variable that holds the key; `null` for an endpoint without keys. Default `OPENAI_API_KEY`. */
  readonly apiKeyVariable?: string | null
  /** Length of the vectors, where the model can shorten them. */
  readonly dimensions?: number
  /** Put before every text. */
  readonly prefix?: string
  /** Texts in one request; default 96. */
  readonly batchSize?: number
  /** Requests after a failed one; default 3. */
  readonly retries?: number
  readonly timeoutMs?: number
  /** What the endpoint charges; null is unknown. */
  readonly price?: TokenPrice | null
}

/** A token per three characters, more than any common tokenizer needs for prose, and two for the marks around a text. */
function maxTokens(text: string): number {
  return Math.ceil(text.length / 3) + 2
}

/** What the embedder has used so far. @public */
export interface EmbeddingUsage {
  readonly requests: number
  /** Null when an answer did not report it. */
  readonly promptTokens: number | null
  /** Null when the price or the tokens are unknown. */
  readonly costUsd: number | null
}

/** An embedder that costs money, and says how much. @public */
export interface MeteredEmbedder extends Embedder {
  onUse: Metered["onUse"]
  usage(): EmbeddingUsage
}

/**
 * Embeddings by any endpoint that speaks OpenAI's `/embeddings`. Texts that are asked for in one turn of the event loop share
 * requests. The endpoint gives no token embeddings, so BERTScore and MoverScore need {@link transformers} instead.
 *
 * @throws {UsageError} for a base URL that is none; at first use when the key's variable is not set
 * @example openaiEmbeddings({ model: "text-embedding-3-small" })
 * @public
 */
export function openaiEmbeddings(options: OpenaiEmbeddingsOptions): MeteredEmbedder {
  checkOptions("openaiEmbeddings", options)
  const { model, prefix = "", batchSize = 96, dimensions, price = null } = options
  if (!Number.isInteger(batchSize) || batchSize < 1 || batchSize > 2048)
    throw new UsageError("batchSize must be an integer of 1 to 2048", { where: `openaiEmbeddings(${model})` })
  const baseUrl = plainBaseUrl(withBaseUrl(options).baseUrl ?? "https://api.openai.com/v1")
  let requests = 0
  let promptTokens: number | null = 0
  let client: ReturnType<typeof openApiClient> | undefined
  let listener: Parameters<Metered["onUse"]>[0] = null
  const priceOf = (tokens: number | null): number | null =>
    tokens === null || price === null ? null : (tokens * price.inputPerMillion) / 1e6

  async function request(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    client ??= openApiClient({ ...options, baseUrl }, `openaiEmbeddings(${model})`)
    const { embeddings } = await client
    requests++
    const startedMs = performance.now()
    const input = texts.map((text) => prefix + text)
    const body = { model, input, encoding_format: "float", ...(dimensions && { dimensions }) } as const
    const { data, usage } = await embeddings.create(body, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new EvalkitError("the endpoint gave no embeddings", {
        code: "embeddings_failed",
        where: new URL(baseUrl).host,
        hint: redactSecrets(messageOf(error)),
        cause: error,
      })
    })
    const tokens = usage?.prompt_tokens ?? null
    promptTokens = promptTokens === null || tokens === null ? null : promptTokens + tokens
    const seconds = (performance.now() - startedMs) / 1000
    listener?.({ purpose: `embeddings ${model}`, tokens, costUsd: priceOf(tokens), seconds })
    const vectors = new Map(data.map(({ index, embedding }) => [index, Float32Array.from(embedding)]))
    return texts.map((_, i) => {
      const vector = vectors.get(i)
      if (vector) return vector
      throw new EvalkitError("the endpoint left a text out", {
        code: "embeddings_failed",
        where: new URL(baseUrl).host,
      })
    })
  }

  return {
    model,
    estimate(texts) {
      const tokens = texts.reduce((sum, text) => sum + maxTokens(prefix + text), 0)
      return { usd: priceOf(tokens), tokens, requests: Math.ceil(texts.length / batchSize) }
    },
    identity: [model, new URL(baseUrl).host, dimensions ?? "all", ...(prefix === "" ? [] : [`prefix:${prefix}`])].join(
      "|",
    ),
    ...(dimensions !== undefined && { dimension: dimensions }),
    embed: coalesce(async (texts: readonly string[], signal) => {
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += batchSize)
        vectors.push(...(await request(texts.slice(start, start + batchSize), signal)))
      return vectors
    }),
    usage: () => ({
      requests,
      promptTokens,
      costUsd: priceOf(promptTokens),
    }),
    onUse(callback) {
      listener = callback
    },
    async close() {
      client = undefined
    },
  }
}
