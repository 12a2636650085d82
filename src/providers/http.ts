import type { Price } from "../core/cost.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { rememberSecrets } from "../text/secrets.ts"
import { openDialectSession } from "./dialect/session.ts"
import { parsePath } from "./http/path.ts"
import { type AnswerPaths, readByPaths } from "./http/read-events.ts"
import { parseTemplate } from "./http/template.ts"
import { readApiKey } from "./openai/api-key.ts"
import { parseBaseUrl } from "./openai/base-url.ts"
import { optionSecrets } from "./openai/secret-options.ts"

/** Options of {@link http}. Paths are names joined by dots, places in brackets, `[*]` for every item: `sources[*].text`; `$` is all of the reply. @public */
export interface HttpOptions {
  readonly url: string
  /**
   * What is posted as JSON. `{{ input }}` is the last user message, `{{ messages }}` the whole prompt; `{{ id }}`, `{{ repeat }}`,
   * `{{ context }}`, `{{ choices }}`, `{{ metadata.NAME }}` and `{{ parameters.NAME }}` are the sample's and the variant's.
   */
  readonly body: JsonObject
  /** Path to the answer's text; of a stream, to the piece of text in each event. */
  readonly answer: string
  /** Path to the passages that were retrieved: metrics take them for the sample's `context`. */
  readonly passages?: string
  readonly reasoning?: string
  /** Path to token counts, named as OpenAI, Anthropic, Gemini, Ollama or llama.cpp name them; `$` where they stand beside the answer. */
  readonly usage?: string
  /** Path to why the answer ended, in the words of any service: docs/serving.md says which. One that is not known is a failure. */
  readonly finishReason?: string
  /** Path to the name of the model that answered. */
  readonly servedModel?: string
  /** What else of the reply metrics shall see, by name. */
  readonly fields?: Readonly<Record<string, string>>
  /** Sent with each request. Values that look secret stay out of every record. */
  readonly headers?: Readonly<Record<string, string>>
  /** Environment variable that holds a key, sent as `authorization: Bearer`. Default: none. */
  readonly apiKeyVariable?: string
  /** For reports. Default: the URL's host. */
  readonly label?: string
  /** The model behind it, for people and the price book. Default: the URL's host and path. */
  readonly model?: string
  readonly quantization?: string
  readonly price?: Price
  readonly concurrency?: number
}

/**
 * Any endpoint that takes JSON and answers with JSON or with server-sent events of JSON: an application behind its own interface.
 * Bytes are stamped as they arrive. An answer that is not streamed has no known time to its first token.
 *
 * @throws UsageError for a URL, a path or a placeholder that is none, and at `open` when the key's variable is not set
 * @example
 * http({
 *   url: "http://127.0.0.1:9000/ask",
 *   body: { question: "{{ input }}", user: "{{ metadata.user }}" },
 *   answer: "data.answer",
 *   passages: "data.sources[*].text",
 * })
 * @public
 */
export function http(options: HttpOptions): Provider {
  checkOptions("http", options)
  const url = parseBaseUrl(options.url)
  const { shown, secrets } = optionSecrets(
    { headers: options.headers ?? {}, extraBody: options.body },
    url.href,
    process.env,
  )
  rememberSecrets(secrets)
  const write = parseTemplate(options.body)
  const read = readByPaths(pathsOf(options))
  const model = options.model ?? `${url.host}${url.pathname}`
  const { apiKeyVariable, concurrency, price, quantization } = options
  return {
    kind: "http",
    traits: { service: null, sendsItsOwn: true },
    model,
    label: options.label ?? `http ${url.host}`,
    endpoint: url.host,
    identity: { kind: "http", model, ...shown, paths: pathTexts(options), quantization: quantization ?? null },
    privateIdentity: () => ({ url: url.href, headers: { ...options.headers }, body: options.body }),
    ...(quantization !== undefined && { quantization }),
    ...(price && { price }),
    ...(concurrency !== undefined && { concurrency }),
    async open({ environment }) {
      const key =
        apiKeyVariable === undefined ? null : readApiKey(environment, apiKeyVariable, options.label ?? url.host)
      return openDialectSession({
        origin: url.origin,
        headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...options.headers },
        path: `${url.pathname}${url.search}`,
        // A JSON object in, a JSON object out.
        write: (request, requestOptions) => write(request, requestOptions) as JsonObject,
        read,
      })
    },
  }
}

function pathTexts({ answer, passages, reasoning, usage, finishReason, servedModel, fields }: HttpOptions): JsonValue {
  const texts = { answer, passages, reasoning, usage, finishReason, model: servedModel, fields }
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as JsonObject
}

function pathsOf({ answer, passages, reasoning, usage, finishReason, servedModel, fields }: HttpOptions): AnswerPaths {
  return {
    answer: parsePath(answer, "answer"),
    ...(passages !== undefined && { passages: parsePath(passages, "passages") }),
    ...(reasoning !== undefined && { reasoning: parsePath(reasoning, "reasoning") }),
    ...(usage !== undefined && { usage: parsePath(usage, "usage") }),
    ...(finishReason !== undefined && { finishReason: parsePath(finishReason, "finishReason") }),
    ...(servedModel !== undefined && { model: parsePath(servedModel, "servedModel") }),
    ...(fields && {
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, path]) => [name, parsePath(path, `fields.${name}`)]),
      ),
    }),
  }
}
