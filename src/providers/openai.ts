import type { JsonObject } from "../core/json.ts"
import type { Provider } from "../core/provider.ts"
import { readApiKey } from "./openai/api-key.ts"
import { parseBaseUrl, secretName } from "./openai/base-url.ts"
import type { OpenaiOptions } from "./openai/options.ts"
import { openOpenaiSession } from "./openai/session.ts"

/**
 * Any endpoint that speaks OpenAI's chat completions, always streamed, without retries of its own. Presets with the base
 * URL and the key's variable of common services stand in `presets.ts`.
 *
 * The key is read from the environment when the provider opens; it is in no identity, label, log or failure.
 *
 * Throws {@link UsageError} for a base URL that is none, and at `open` when the key's variable is not set.
 *
 * @example
 * openai({ model: "gpt-4o-mini" })
 * openai({ model: "llama", baseUrl: "http://127.0.0.1:8080/v1", apiKeyVariable: null, transport: "undici" })
 */
export function openai(options: OpenaiOptions): Provider {
  // OpenAI's own API has deprecated max_tokens; its reasoning models refuse it.
  const own = options.baseUrl === undefined ? ({ maxTokensField: "max_completion_tokens" } as const) : {}
  return openaiAs("openai", { ...own, ...options })
}

/** {@link openai} under the name of a preset, which is the provider's kind and the start of its label. */
export function openaiAs(kind: string, options: OpenaiOptions): Provider {
  const url = parseBaseUrl(options.baseUrl ?? "https://api.openai.com/v1")
  const baseUrl = url.href
  const variable = options.apiKeyVariable === undefined ? "OPENAI_API_KEY" : options.apiKeyVariable
  return {
    kind,
    model: options.model,
    label: options.label ?? `${kind} ${options.model}`,
    endpoint: url.host,
    identity: describe(kind, options, baseUrl),
    ...(options.quantization === undefined ? {} : { quantization: options.quantization }),
    ...(options.price === undefined ? {} : { price: options.price }),
    async open(context) {
      const apiKey =
        variable === null ? null : readApiKey(context.environment, variable, options.label ?? options.model)
      return openOpenaiSession({ ...options, baseUrl }, apiKey, secretValues(options.headers ?? {}), context.capture)
    },
  }
}

function secretValues(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => (secretName.test(name) ? [value] : []))
}

/** Everything that changes an answer. Of a header that looks secret only the name. */
function describe(kind: string, options: OpenaiOptions, baseUrl: string): JsonObject {
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).map(([name, value]) => [
      name.toLowerCase(),
      secretName.test(name) ? null : value,
    ]),
  )
  return {
    kind,
    baseUrl,
    model: options.model,
    headers,
    features: { ...options.features },
    extraBody: options.extraBody ?? {},
    quantization: options.quantization ?? null,
  }
}
