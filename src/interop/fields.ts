import type { JsonObject, JsonValue } from "../core/json.ts"
import { isObject } from "../core/json-members.ts"

/** The value as an object; undefined where it is none. Names that JavaScript gives to every object are never found. */
export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

/** The value as a list; empty where it is none. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

/** A member of an object of somebody else's, by its own name only. */
export function member(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let inner: JsonValue | undefined = value
  for (const name of path) {
    const object = objectOf(inner)
    inner = object && Object.hasOwn(object, name) ? object[name] : undefined
  }
  return inner
}

/** The value as a text; undefined where it is neither a text nor a number nor a truth value. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}

/** The value as a number; undefined where it is none. A truth value is 0 or 1. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "boolean") return Number(value)
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

/** The value as a number, also where it, or a truth value, is written as a text ("0.3", "True"): tables hold texts. Undefined for every other text. */
export function figureOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === "string" && /^\s*(?:true|false)\s*$/i.test(value)) return Number(/true/i.test(value))
  const isWritten = typeof value === "string" && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value.trim())
  return numberOf(isWritten ? Number(value) : value)
}

/** A count of tokens and the like: a whole number from 0; null where there is none. */
export function countOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** Texts of a text or of a list of them. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  const text = textOf(value)
  if (text !== undefined) return [text]
  return listOf(value).flatMap((item) => textOf(item) ?? [])
}

/** A time as ISO 8601: of a text that is one, or of seconds since 1970; null where it is neither. */
export function timeOf(value: JsonValue | undefined): string | null {
  const seconds = typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  const ms =
    typeof seconds === "number" ? seconds * 1000 : typeof seconds === "string" ? Date.parse(seconds) : Number.NaN
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : null
}
