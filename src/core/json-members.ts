import type { JsonObject, JsonValue } from "./json.ts"

/** A parsed JSON object whose members are not known yet. */
export type Members = Readonly<Record<string, unknown>>

/** Whether a value is an object that is not an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Members
export function isObject(value: unknown): value is Members {
  return value !== null && typeof value === "object" && !Array.isArray(value)
}

/** The value when it is an object that is not an array, else null. */
export function asMembers(value: JsonValue | undefined): JsonObject | null
export function asMembers(value: unknown): Members | null
export function asMembers(value: unknown): Members | null {
  return isObject(value) ? value : null
}

/** The value when it is a list, else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The objects of a list; empty when the value is no list. */
export function membersOf(value: unknown): readonly Members[] {
  return asList(value).flatMap((item) => {
    const members = asMembers(item)
    return members === null ? [] : [members]
  })
}

/** The value when it is a text, else an empty one. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : ""
}

/** The value when it is a finite number, else null. */
export function asNumber(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null
}

/** `JSON.parse` whose failure is a value. */
export function parseJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** The value of a text in JSON; `otherwise` where it is none. */
export function jsonValue<Otherwise>(text: string, otherwise: Otherwise): JsonValue | Otherwise {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return otherwise
  }
}
