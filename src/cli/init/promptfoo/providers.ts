import type { JsonObject, JsonValue } from "../../../core/json.ts"
import { objectOf } from "../../../interop/fields.ts"
import type { NotConverted, ReadProvider } from "./types.ts"

/** Functions of evalkit by what promptfoo's provider ids begin with; parts between it and the model are kinds of interface. */
const factories: ReadonlyMap<string, string> = new Map([
  ["openai", "openai"],
  ["anthropic", "anthropic"],
  ["google", "gemini"],
  ["ollama", "ollama"],
  ["mistral", "mistral"],
  ["groq", "groq"],
  ["togetherai", "together"],
  ["openrouter", "openrouter"],
  ["deepseek", "deepseek"],
  ["cohere", "cohere"],
  ["fireworks", "fireworks"],
])

const interfaces = new Set(["chat", "messages", "completion", "responses"])

/** Options of promptfoo's providers that are parameters of evalkit's. */
const parameterNames: ReadonlyMap<string, string> = new Map([
  ["temperature", "temperature"],
  ["max_tokens", "maxTokens"],
  ["max_completion_tokens", "maxTokens"],
  ["top_p", "topP"],
  ["seed", "seed"],
  ["stop", "stop"],
])

/** Options that {@link readProvider} makes a price of. */
const costNames = new Set(["cost", "inputCost", "outputCost"])

function perMillion(usd: number): number {
  return Number((usd * 1e6).toPrecision(12))
}

/** Options that hold keys: nothing of them is written down. */
const secretNames = new Set(["apiKey", "headers"])

/** A provider of promptfoo (`openai:gpt-4o`, `{ id, label, config }`) as a function of evalkit; null where there is none for it. */
export function readProvider(value: JsonValue, where: string, lost: NotConverted[]): ReadProvider | null {
  const own = objectOf(value)
  const id = typeof value === "string" ? value : own && typeof own.id === "string" ? own.id : null
  // `{ "openai:gpt-4o": { config } }` is the older way.
  const [older] = id === null && own ? Object.entries(own) : []
  if (id === null && older) {
    const settings = objectOf(older[1])
    return settings ? readProvider({ id: older[0], ...settings }, where, lost) : null
  }
  const [service = "", ...rest] = (id ?? "").split(":")
  const factory = factories.get(service)
  const model = (interfaces.has(rest[0] ?? "") ? rest.slice(1) : rest).join(":")
  if (!factory || model === "" || rest[0] === "embedding" || rest[0] === "image" || rest[0] === "realtime") {
    lost.push({ where, reason: `there is no counterpart of the provider ${JSON.stringify(id ?? value).slice(0, 100)}` })
    return null
  }
  const options: Record<string, JsonValue> = {
    model,
    ...(service === "openai" && rest[0] === "responses" && { api: "responses" }),
  }
  const parameters: Record<string, JsonValue> = {}
  const { cost, inputCost = cost, outputCost = cost } = objectOf(own?.config) ?? {}
  // Of a token, in US dollars; evalkit's are of a million.
  if (typeof inputCost === "number" && typeof outputCost === "number")
    options.price = {
      kind: "tokens",
      inputPerMillion: perMillion(inputCost),
      outputPerMillion: perMillion(outputCost),
      source: "promptfoo config",
      date: "undated",
    }
  for (const [name, setting] of Object.entries(objectOf(own?.config) ?? {})) {
    const parameter = parameterNames.get(name)
    if (parameter) parameters[parameter] = setting
    else if (costNames.has(name) && options.price !== undefined) continue
    else if (name === "apiBaseUrl" && typeof setting === "string") options.baseUrl = setting
    else if (name === "apiKeyEnvar" && typeof setting === "string") options.apiKeyVariable = setting
    else
      lost.push({
        where: `${where}.config.${name}`,
        reason: secretNames.has(name) ? "keys are read from the environment" : "the option has no counterpart",
      })
  }
  for (const name of Object.keys(own ?? {}))
    if (!["id", "label", "config"].includes(name))
      lost.push({ where: `${where}.${name}`, reason: "the option has no counterpart" })
  return { label: typeof own?.label === "string" ? own.label : `${service}:${model}`, factory, options, parameters }
}

/** The members of a list, or the value as the only one. */
export function many(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [value]
}

/** A text with its `{{ name }}` filled in; null where it says more than names that are known. */
export function filledIn(text: string, vars: JsonObject): string | null {
  const filled = text.replace(/\{\{\s*([A-Za-z_]\w*)\s*\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined
    return value === undefined ? whole : typeof value === "string" ? value : JSON.stringify(value)
  })
  return /\{\{|\{%/.test(filled) ? null : filled
}
