import type { JsonObject, JsonValue } from "../../core/json.ts"

const deepest = 500

/**
 * The JSON of an answer, with or without a code fence around it; undefined where it is not JSON, or is nested beyond 500 levels.
 * Linear in the text.
 *
 * @param parse what reads the JSON; default: JSON.parse
 * @example parseJsonAnswer('```json\n{"a": 1}\n```') // { a: 1 }
 */
export function parseJsonAnswer(text: string, parse: (json: string) => JsonValue = JSON.parse): JsonValue | undefined {
  const json = unfenced(text.trim())
  if (nesting(json) > deepest) return undefined
  try {
    return parse(json)
  } catch {
    return undefined
  }
}

/** Whether two values of bounded depth are equal; the order of an object's keys does not matter. */
export function equalJson(left: JsonValue, right: JsonValue): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const a = left as JsonObject
  const b = right as JsonObject
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key] as JsonValue, b[key] as JsonValue))
  )
}

/** Without a code fence of three or more back quotes or tildes around it, and its language. */
function unfenced(text: string): string {
  const [opening = "", language = ""] = /^(?:`{3,20}|~{3,20})([\w+-]{0,20}(?=\s))?/.exec(text) ?? []
  const fence = opening.slice(0, opening.length - language.length)
  if (fence === "" || !text.endsWith(fence) || text.length < opening.length + fence.length) return text
  return text.slice(opening.length, -fence.length).trim()
}

/** How deep brackets are nested; brackets in strings count too, which only makes the bound stricter. */
function nesting(text: string): number {
  let depth = 0
  let max = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x7b || code === 0x5b) max = Math.max(max, ++depth)
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return max
}
