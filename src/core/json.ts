import { hash } from "node:crypto"
import { firstCharacters } from "./first-characters.ts"
import { isObject } from "./json-members.ts"

/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. @public */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON object. @public */
export type JsonObject = { readonly [key: string]: JsonValue }

/**
 * JSON with sorted keys and no white space: equal values give equal texts, so that it can be hashed.
 * `undefined` members are dropped, as `JSON.stringify` does.
 *
 * @example canonicalJson({ b: 1, a: [true] }) // '{"a":[true],"b":1}'
 * @public
 */
export function canonicalJson(value: unknown): string {
  // A text has no keys to sort, and every answer's is hashed.
  if (typeof value === "string") return JSON.stringify(value)
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : member,
  )
}

/**
 * SHA-256 of the canonical JSON of a value, in lower-case hex, cut to `length` characters (64 at most).
 * The identity of everything that evalkit keys by content.
 * @public
 */
export function contentHash(value: unknown, length = 32): string {
  return firstCharacters(hash("sha256", canonicalJson(value), "hex"), length)
}

/** The value at a dotted path; undefined where there is none. Only own properties count. @experimental */
export function atPath(row: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = row
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key) as JsonValue
  }
  return value
}
