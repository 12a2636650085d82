import type { OpenAI } from "openai"
import { MissingPackageError, UsageError } from "../../core/errors.ts"

/** How a service beside chat (embeddings, moderation) is reached. */
export interface ApiClientOptions {
  /** With the version path, as {@link checkedBaseUrl} gives it. */
  readonly baseUrl: string
  /** Environment variable that holds the key; `null` for an endpoint without keys. Default `OPENAI_API_KEY`. */
  readonly apiKeyVariable?: string | null
  /** Requests after a failed one; default 3. */
  readonly retries?: number
  /** Default 60 s. */
  readonly timeoutMs?: number
}

/**
 * A client for a service whose latency is nobody's result: it retries by itself.
 * @param where the feature, for messages: `openaiEmbeddings(model)`
 * @throws {UsageError} `missing_key` when the key's variable is not set; {@link MissingPackageError} without `openai`
 */
export async function openApiClient(options: ApiClientOptions, where: string): Promise<OpenAI> {
  const { OpenAI } = await import("openai").catch((error: unknown) => {
    throw new MissingPackageError("openai", where, error)
  })
  const { baseUrl, apiKeyVariable: variable = "OPENAI_API_KEY", retries = 3, timeoutMs = 60_000 } = options
  const apiKey = variable === null ? "none" : process.env[variable]?.trim()
  if (!apiKey)
    throw new UsageError(`The environment variable ${variable} is not set`, {
      code: "missing_key",
      where,
      hint: "set it to the API key, or name another variable with apiKeyVariable",
    })
  return new OpenAI({
    apiKey,
    baseURL: baseUrl,
    organization: null,
    project: null,
    maxRetries: retries,
    timeout: timeoutMs,
    logLevel: "off",
    ...(variable === null && { defaultHeaders: { authorization: null } }),
  })
}

/** A base URL in its normal form. Throws {@link UsageError} for what is none, or holds a password or a query. */
export function checkedBaseUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch (cause) {
    throw new UsageError("baseUrl is not a URL", { where: text, hint: "write it as https://host/v1", cause })
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UsageError("baseUrl must begin with http:// or https://", { where: url.protocol })
  if (url.username || url.password || url.search)
    throw new UsageError("baseUrl must hold neither a password nor a query", {
      where: url.host,
      hint: "use apiKeyVariable",
    })
  return url.href
}
