import { outcomes } from "../../src/core/outcome.ts"

const closed = new Set<string>([
  ...outcomes,
  ..."evalkit.report/1 known unknown scored unscored higher lower maximize minimize measured replayed recorded".split(
    " ",
  ),
  ..."foreign swap keep inconclusive not_comparable invalid better non_inferior inferior passed failed running".split(
    " ",
  ),
  ..."finished interrupted incomplete content reasoning role tool usage error done".split(" "),
])

/**
 * A deep copy in which a payload is appended to every free text, so that names stay distinct and links between parts
 * still work; words of closed vocabularies stay. A function chooses the payload by the text that it will follow.
 */
export function poisoned<T>(value: T, payload: string | ((text: string) => string)): T {
  return poison(value, typeof payload === "string" ? () => payload : payload, "") as T
}

/** Chooses among payloads by a text: equal texts get equal payloads, and each offset deals them out anew. */
export function dealt(payloads: readonly string[], offset: number): (text: string) => string {
  return (text) => {
    let hash = 7 + offset
    for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
    return payloads[(hash + offset * 17) % payloads.length] as string
  }
}

function poison(value: unknown, payload: (text: string) => string, key: string): unknown {
  if (typeof value === "string") return closed.has(value) || isStamp(key) ? value : value + payload(value)
  if (Array.isArray(value)) return value.map((entry) => poison(entry, payload, key))
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, poison(entry, payload, name)]))
  return value
}

function isStamp(key: string): boolean {
  return key === "kind" || key === "startedAt" || key === "finishedAt"
}
