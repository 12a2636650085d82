import type { OpenAI } from "openai"
import { MissingPackageError } from "../../core/errors.ts"
import { dispatcherFor } from "../../platform/proxy.ts"
import { readApiKey } from "./api-key.ts"

/** How a service beside chat (embeddings, moderation) is reached. */
export interface ApiClientOptions {
  /** With the version path, as {@link plainBaseUrl} gives it. */
  readonly baseUrl: string
  /** Environment variable that holds the key; `null` for an endpoint without keys. Default `OPENAI_API_KEY`. */
  readonly apiKeyVariable?: string | null
  /** Requests after a failed one; default 3. */
  readonly retries?: number
  /** Default 60 s. */
  readonly timeoutMs?: number
}

/**
 * A client for a service whose latency is not measured: it retries by itself.
 * @param where the feature, for messages: `openaiEmbeddings(model)`
 * @throws {UsageError} `missing_key` when the key's variable is not set; {@link MissingPackageError} without `openai`
 */
export async function openApiClient(options: ApiClientOptions, where: string): Promise<OpenAI> {
  const { OpenAI } = await import("openai").catch((error: unknown) => {
    throw new MissingPackageError("openai", where, error)
  })
  const { baseUrl, apiKeyVariable: variable = "OPENAI_API_KEY", retries = 3, timeoutMs = 60_000 } = options
  const apiKey = variable === null ? "none" : readApiKey(process.env, variable, where)
  const dispatcher = await dispatcherFor(baseUrl)
  return new OpenAI({
    ...(dispatcher && { fetchOptions: { dispatcher } as object }),
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
