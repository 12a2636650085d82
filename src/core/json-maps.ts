import type { JsonValue } from "./json.ts"

/**
 * A value as JSON that {@link fromMapJson} reads back: maps keep their entries, numbers that JSON does not have their names, and typed
 * arrays become arrays. Members that are undefined, and which objects are the same one, are not kept.
 *
 * @example toMapJson(new Map([["a", Infinity]])) // { "$map": [["a", { "$number": "Infinity" }]] }
 */
export function toMapJson(value: unknown): JsonValue {
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (member instanceof Map) return { $map: [...member] }
    if (member instanceof Float64Array) return [...member]
    return typeof member === "number" && !Number.isFinite(member) ? { $number: String(member) } : member
  })
  return JSON.parse(text) as JsonValue
}

/** Reads what {@link toMapJson} wrote. The value is another's: its type is for the caller to check. */
export function fromMapJson(value: JsonValue): unknown {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) => {
    if (typeof member !== "object" || member === null) return member
    if ("$map" in member && Array.isArray(member.$map)) return new Map(member.$map as [unknown, unknown][])
    return "$number" in member ? Number(member.$number) : member
  })
}
