import { UsageError } from "../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import type { ModelRequest, RequestOptions } from "../../core/provider.ts"
import { parsePath } from "./path.ts"

/** What a body may name. The answer key of a sample is not among it. */
const roots = ["input", "messages", "id", "repeat", "context", "choices", "metadata", "parameters"] as const

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Fills a request's body; nothing in it is executed. */
export type Template = (request: ModelRequest, options: RequestOptions) => JsonValue

/**
 * Reads a body with placeholders: `"{{ messages }}"` alone becomes the value itself, inside a text its text (JSON where it is none).
 *
 * @throws UsageError for a placeholder that names nothing; the template throws for one that a sample has no value for
 * @example parseTemplate({ question: "{{ input }}", user: "{{ metadata.user }}" })
 */
export function parseTemplate(body: JsonValue): Template {
  if (typeof body === "string") return parseText(body)
  if (Array.isArray(body)) {
    const items = body.map((item: JsonValue) => parseTemplate(item))
    return (...call) => items.map((item) => item(...call))
  }
  if (body === null || typeof body !== "object") return () => body
  const members = Object.entries(body as JsonObject).map(([name, value]) => [name, parseTemplate(value)] as const)
  return (...call) => Object.fromEntries(members.map(([name, value]) => [name, value(...call)]))
}

function parseText(text: string): Template {
  const matches = [...text.matchAll(placeholder)]
  if (matches.length === 0) return () => text
  const readers = matches.map(([, name = ""]) => readerOf(name))
  if (matches.length === 1 && matches[0]?.[0] === text) return readers[0] as Template
  const between = text.split(placeholder).filter((_, i) => i % 2 === 0)
  return (...call) =>
    between.reduce((filled, piece, i) => {
      const value = readers[i - 1]?.(...call)
      return `${filled}${typeof value === "string" ? value : JSON.stringify(value)}${piece}`
    })
}

function readerOf(name: string): Template {
  const where = `body: {{ ${name.slice(0, 60)} }}`
  const root = /^[^.[]*/.exec(name)?.[0] ?? ""
  if (!(roots as readonly string[]).includes(root))
    throw new UsageError("a placeholder names nothing that a request has", {
      where,
      hint: `known: ${roots.join(", ")}`,
    })
  const path = parsePath(name, "body")
  return (request, options) => {
    const [value] = path(valuesOf(request, options))
    if (value !== undefined) return value as JsonValue
    throw new UsageError(`sample ${options.sampleId ?? "(none)"} has no value for a placeholder`, { where })
  }
}

function valuesOf(
  { messages, parameters }: ModelRequest,
  { sample, sampleId, repeat = 0 }: RequestOptions,
): JsonObject {
  return {
    input: messages.findLast(({ role }) => role === "user")?.content ?? "",
    messages: messages.map(({ role, content }) => ({ role, content })),
    id: sampleId ?? "",
    repeat,
    context: sample?.context ?? [],
    choices: sample?.choices ?? [],
    metadata: sample?.metadata ?? {},
    parameters: parameters as unknown as JsonObject,
  }
}
