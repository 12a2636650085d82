import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { Provider } from "../core/provider.ts"
import type { OpenaiOptions } from "./openai/options.ts"
import { openOpenaiSession } from "./openai/session.ts"

const secretName = /auth|key|token|secret|cookie|password/i

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
      const apiKey = variable === null ? null : readKey(context.environment, variable, options.label ?? options.model)
      return openOpenaiSession({ ...options, baseUrl }, apiKey, secretValues(options.headers ?? {}), context.capture)
    },
  }
}

function parseBaseUrl(text: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch (cause) {
    throw new UsageError("baseUrl is not a URL", { where: text, hint: "write it as https://host/v1", cause })
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new UsageError("baseUrl must begin with http:// or https://", { where: url.protocol })
  if (url.username || url.password)
    throw new UsageError("baseUrl must not hold a name or a password", {
      where: url.host,
      hint: "use apiKeyVariable or headers",
    })
  for (const name of url.searchParams.keys())
    if (secretName.test(name))
      throw new UsageError("baseUrl must not hold a key", {
        where: `${url.host} (${name})`,
        hint: "use apiKeyVariable or headers",
      })
  return url
}

function readKey(environment: Readonly<Record<string, string | undefined>>, variable: string, who: string): string {
  const key = environment[variable]?.trim()
  if (key) return key
  throw new UsageError(`The environment variable ${variable} is not set`, {
    code: "missing_key",
    where: who,
    hint: `set it to the API key, or name another variable with apiKeyVariable`,
  })
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
