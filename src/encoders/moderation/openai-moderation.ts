import { EvalkitError, messageOf, UsageError } from "../../core/errors.ts"
import { asMembers } from "../../core/json-members.ts"
import type { Metered } from "../../core/metric/metered.ts"
import type { Moderation, Moderator } from "../../core/metric/moderator.ts"
import { checkOptions } from "../../core/options.ts"
import { openApiClient } from "../../providers/openai/api-client.ts"
import { plainBaseUrl, withBaseUrl } from "../../providers/openai/base-url.ts"
import { redactSecrets } from "../../text/secrets.ts"
import { counted } from "../../words/number.ts"
import { coalesce } from "../embedder/coalesce.ts"

/** Options of {@link openaiModeration}. @public */
export interface OpenaiModerationOptions {
  /** The model as the endpoint names it. Default `omni-moderation-latest`. */
  readonly model?: string
  /** With the version path. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string
  /** `baseUrl`, as OpenAI's SDK spells it. */
  readonly baseURL?: string
  /** Environment variable that holds the key; `null` for an endpoint without keys. Default `OPENAI_API_KEY`. */
  readonly apiKeyVariable?: string | null
  /** Texts in one request. Default 32. */
  readonly batchSize?: number
  /** Characters of a text that are sent. Default 20,000. */
  readonly maxCharacters?: number
  /** Requests after a failed one; default 3. */
  readonly retries?: number
  readonly timeoutMs?: number
  /** What a request costs in US dollars; null is unknown. Default: 0 at OpenAI's own endpoint, which is free, else null. */
  readonly usdPerRequest?: number | null
}

/** Categories of one verdict that are kept. */
const maxCategories = 100

/**
 * Any endpoint that speaks OpenAI's `/moderations`, for the metric `moderation`. Texts that are asked about in one turn of the
 * event loop share requests. Retries 408, 409, 429 and 5xx as the server says, then gives up.
 *
 * @throws {UsageError} for options that cannot be used; at first use when the key's variable is not set
 * @example moderation({ by: openaiModeration() })
 * @public
 */
export function openaiModeration(options: OpenaiModerationOptions = {}): Moderator {
  checkOptions("openaiModeration", options)
  const { model = "omni-moderation-latest", batchSize = 32, maxCharacters = 20_000 } = options
  const where = `openaiModeration(${model})`
  for (const [name, value] of Object.entries({ batchSize, maxCharacters }))
    if (!Number.isInteger(value) || value < 1) throw new UsageError(`${name} must be a whole number from 1`, { where })
  const baseUrl = plainBaseUrl(withBaseUrl(options).baseUrl ?? "https://api.openai.com/v1")
  const { host } = new URL(baseUrl)
  const { usdPerRequest = host === "api.openai.com" ? 0 : null } = options
  let client: ReturnType<typeof openApiClient> | undefined
  let requests = 0
  let sent = 0
  let listener: Parameters<Metered["onUse"]>[0] = null

  async function request(texts: readonly string[], signal: AbortSignal): Promise<readonly Moderation[]> {
    client ??= openApiClient({ ...options, baseUrl }, where)
    const { moderations } = await client
    requests++
    sent += texts.length
    const startedMs = performance.now()
    const input = texts.map((text) => text.slice(0, maxCharacters))
    const { results } = await moderations.create({ model, input }, { signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw failed(host, redactSecrets(messageOf(error)), error)
    })
    const seconds = (performance.now() - startedMs) / 1000
    listener?.({ purpose: `moderation ${model}`, tokens: null, costUsd: usdPerRequest, seconds })
    const costUsd = usdPerRequest === null ? null : usdPerRequest / texts.length
    if (!Array.isArray(results) || results.length !== texts.length)
      throw failed(
        host,
        `${counted(texts.length, "text")} ${texts.length === 1 ? "was" : "were"} asked about, ${results ? counted(results.length, "verdict") : "no verdicts"} came`,
      )
    return results.map((result) => readResult(result, costUsd, host))
  }

  return {
    model,
    estimate({ length }) {
      const requests = Math.ceil(length / batchSize)
      return { usd: usdPerRequest === null ? null : requests * usdPerRequest, tokens: 0, requests }
    },
    identity: `${model}|${host}`,
    moderate: coalesce(async (texts: readonly string[], signal) => {
      const verdicts: Moderation[] = []
      for (let start = 0; start < texts.length; start += batchSize)
        verdicts.push(...(await request(texts.slice(start, start + batchSize), signal)))
      return verdicts
    }),
    usage: () => ({ requests, texts: sent, costUsd: usdPerRequest === null ? null : requests * usdPerRequest }),
    onUse(callback) {
      listener = callback
    },
    async close() {
      client = undefined
    },
  }
}

/** A verdict as it is written, nothing taken for granted: a server may send anything. */
function readResult(result: unknown, costUsd: number | null, host: string): Moderation {
  const { flagged, categories, category_scores: scores } = asMembers(result) ?? {}
  if (typeof flagged !== "boolean") throw failed(host, "a verdict does not say whether the text is flagged")
  const flags = new Map(Object.entries(asMembers(categories) ?? {}))
  const listed = Object.entries(asMembers(scores) ?? {}).slice(0, maxCategories)
  return {
    flagged,
    costUsd,
    categories: listed.map(([name, score]) => {
      if (typeof score !== "number" || !(score >= 0 && score <= 1))
        throw failed(host, `the score of ${name.slice(0, 50)} is not in 0..1`)
      return { name: name.slice(0, 100), score, flagged: flags.get(name) === true }
    }),
  }
}

function failed(host: string, hint: string, cause?: unknown): EvalkitError {
  return new EvalkitError("the endpoint gave no verdict", {
    code: "moderation_failed",
    where: host,
    hint: hint.slice(0, 300),
    cause,
  })
}
