import type { JsonObject, JsonValue } from "../json.ts"

/**
 * Why a field of a sample's metadata is not what a metric needs: it is not there, or what it holds instead.
 *
 * @param needed what it would have to be: "a list of ids"
 * @example metadataFault({}, "keyFacts", "a list") // "no metadata.keyFacts"
 * @example metadataFault({ keyFacts: "one" }, "keyFacts", "a list") // "metadata.keyFacts is a text, not a list"
 */
export function metadataFault(metadata: JsonObject, field: string, needed: string): string {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined
  if (value === undefined || value === null) return `no metadata.${field}`
  return `metadata.${field} is ${kindOf(value)}, not ${needed}`
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list"
  if (typeof value === "string") return value === "" ? "an empty text" : "a text"
  if (typeof value === "number") return "a number"
  return typeof value === "boolean" ? "true or false" : "an object"
}
