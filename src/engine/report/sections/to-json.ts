import type { JsonValue } from "../../../core/json.ts"

/** Typed data as the JSON that a section carries: what is undefined is left out, what is not finite is an error. */
export function toJson(data: object): JsonValue {
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) => {
      if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${key} is not a finite number`)
      return value
    }),
  ) as JsonValue
}
