import type { JsonObject, JsonValue } from "../../core/json.ts"

/** A body, or a part of one, in which what was not asked for is undefined. */
export interface BodyPart {
  readonly [name: string]: JsonValue | BodyPart | undefined
}

/**
 * One body of several: of values with the same name the later one is taken, objects are merged member by member, and what is
 * undefined is left out.
 *
 * @example mergeBodies({ a: { b: 1, c: undefined } }, { a: { d: 2 } }) // { a: { b: 1, d: 2 } }
 */
export function mergeBodies(...parts: readonly (BodyPart | undefined)[]): JsonObject {
  const merged = new Map<string, JsonValue>()
  for (const part of parts)
    for (const [name, value] of Object.entries(part ?? {})) {
      if (value === undefined) continue
      const before = merged.get(name)
      merged.set(
        name,
        isObject(value) ? mergeBodies(isObject(before) ? before : undefined, value) : (value as JsonValue),
      )
    }
  return Object.fromEntries(merged)
}

function isObject(value: unknown): value is BodyPart {
  return value !== null && typeof value === "object" && !Array.isArray(value)
}
