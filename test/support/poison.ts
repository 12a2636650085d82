import { outcomes } from "../../src/core/outcome.ts"

const closed = new Set<string>([
  ...outcomes,
  ..."evalkit.report/1 known unknown scored unscored higher lower maximize minimize measured replayed recorded foreign".split(
    " ",
  ),
  ..."swap keep inconclusive not_comparable invalid better non_inferior inferior passed failed running finished".split(
    " ",
  ),
  ..."interrupted incomplete content reasoning role tool usage error done".split(" "),
])

/**
 * A deep copy in which every free text holds `payload` (appended, so that names stay distinct and links between parts
 * still work); words of closed vocabularies stay.
 */
export function poisoned<T>(value: T, payload: string): T {
  return poison(value, payload, "") as T
}

function poison(value: unknown, payload: string, key: string): unknown {
  if (typeof value === "string") return closed.has(value) || isStamp(key) ? value : value + payload
  if (Array.isArray(value)) return value.map((one) => poison(one, payload, key))
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, payload, name)]))
  return value
}

function isStamp(key: string): boolean {
  return key === "kind" || key === "startedAt" || key === "finishedAt"
}
