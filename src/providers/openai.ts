import { UsageError } from "../core/errors.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { rememberSecrets } from "../text/secrets.ts"
import { readApiKey } from "./openai/api-key.ts"
import { parseBaseUrl, withBaseUrl } from "./openai/base-url.ts"
import { chatMedia } from "./openai/media.ts"
import type { OpenaiOptions } from "./openai/options.ts"
import { refuseSeveralAnswers } from "./openai/options.ts"
import { optionSecrets } from "./openai/secret-options.ts"
import { openOpenaiSession } from "./openai/session.ts"

/**
 * Any endpoint that speaks OpenAI's chat completions or its Responses API (`api: "responses"`), always streamed, without retries of its own. Presets with the base
 * URL and the key's variable of common services are in `presets.ts`.
 *
 * The key is read from the environment when the provider opens; it is in no identity, label, log or failure. Of headers,
 * of the query and of the extra body a report shows `•••` where they may hold a secret.
 *
 * Throws {@link UsageError} for a base URL that is none, and at `open` when the key's variable is not set.
 *
 * @example
 * openai({ model: "gpt-4o-mini" })
 * openai({ model: "gpt-5-mini", api: "responses" })
 * openai({ model: "llama", baseUrl: "http://127.0.0.1:8080/v1", apiKeyVariable: null, transport: "undici" })
 * @public
 */
export function openai(options: OpenaiOptions): Provider {
  checkOptions("openai", options)
  // OpenAI's own API has deprecated max_tokens; its reasoning models refuse it.
  const settings = withBaseUrl(options)
  const own = settings.baseUrl === undefined ? ({ maxTokensField: "max_completion_tokens" } as const) : {}
  return openaiAs("openai", { ...own, ...settings }, null, true)
}

/**
 * {@link openai} under the name of a preset, which is the provider's kind and the start of its label.
 * @param service its name in the price book; null for any endpoint that speaks the protocol
 * @param hasBatches whether the service is known to have OpenAI's batches, where the options do not say it
 */
export function openaiAs(
  kind: string,
  options: Omit<OpenaiOptions, "baseURL">,
  service: string | null = kind,
  hasBatches = false,
): Provider {
  refuseSeveralAnswers(kind, options.extraBody)
  const url = parseBaseUrl(options.baseUrl ?? "https://api.openai.com/v1")
  const baseUrl = url.href
  const { shown, secrets } = optionSecrets(options, baseUrl, process.env)
  rememberSecrets(secrets)
  const { api = "chat" } = options
  const media = chatMedia(kind, { ...options.features, ...(api === "responses" && { audio: false }) })
  const variable = options.apiKeyVariable === undefined ? "OPENAI_API_KEY" : options.apiKeyVariable
  return {
    kind,
    traits: {
      service,
      ...(media && { media }),
      ...(options.transport && { transport: options.transport }),
      ...((options.features?.batches ?? hasBatches) && { takesBatches: true }),
    },
    model: options.model,
    label: options.label ?? `${kind} ${options.model}`,
    endpoint: url.host,
    // Everything that changes an answer.
    identity: {
      kind,
      model: options.model,
      ...(api === "responses" && { api }),
      ...shown,
      features: { ...options.features },
      quantization: options.quantization ?? null,
    },
    privateIdentity: () => ({ baseUrl, headers: { ...options.headers }, extraBody: options.extraBody ?? {} }),
    ...(options.quantization === undefined ? {} : { quantization: options.quantization }),
    ...(options.price === undefined ? {} : { price: options.price }),
    async open(context) {
      const apiKey =
        variable === null ? null : readApiKey(context.environment, variable, options.label ?? options.model)
      return openOpenaiSession({ ...options, baseUrl }, apiKey, context.capture)
    },
  }
}
