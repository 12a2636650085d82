import { atPath, type JsonObject, type JsonValue } from "../core/json.ts"
import { isObject } from "../core/json-members.ts"

/** Columns that describe an answer and are compared as speed or cost, never as quality. */
const factColumns = ["ttftMs", "e2eMs", "tpotMs", "costUsd", "confidence", "completionTokens"] as const
/** Objects whose numbers are compared without being named: what `evalkit score --rows` writes, and others like it. */
const scoreObjects = ["metrics", "scores"] as const

/** A column, or what a dotted path finds inside one. */
export function fieldOf(row: JsonObject, field: string): JsonValue | undefined {
  return Object.hasOwn(row, field) ? row[field] : atPath(row, field)
}

/** Columns of numbers that are compared where none is named; those inside of `metrics` and `scores`, too. */
export function comparedFields(row: JsonObject, id: readonly string[]): readonly string[] {
  const own = Object.keys(row).filter((field) => isCompared(field, id, row[field]))
  const inner = scoreObjects.flatMap((name) =>
    Object.entries(objectOf(row[name])).flatMap(([field, value]) =>
      typeof value === "number" || typeof value === "boolean" || value === null ? [`${name}.${field}`] : [],
    ),
  )
  return inner.length > 0 ? [...own, ...inner] : own
}

/** Every path to a number, for the message about one that is not there. */
export function numericFields(row: JsonObject, prefix = "", depth = 0): readonly string[] {
  return Object.entries(row)
    .slice(0, 60)
    .flatMap(([field, value]) =>
      typeof value === "number" || typeof value === "boolean"
        ? [`${prefix}${field}`]
        : depth < 3
          ? numericFields(objectOf(value), `${prefix}${field}.`, depth + 1)
          : [],
    )
}

/** Adds what `evalkit score --rows` says of its metrics in its first line: of which less is better, and which are no means. */
export function noteFacts(row: JsonObject, said: { readonly lower: Set<string>; readonly sets: Set<string> }): void {
  for (const kind of ["lower", "sets"] as const) {
    const names = row[kind]
    if (!Array.isArray(names)) continue
    for (const name of names as readonly JsonValue[]) if (typeof name === "string") said[kind].add(`metrics.${name}`)
  }
}

/** The members of an object; none of anything else. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function isCompared(field: string, id: readonly string[], value: JsonValue | undefined): boolean {
  if (id.includes(field) || (factColumns as readonly string[]).includes(field)) return false
  return (
    field !== "cluster" &&
    field !== "group" &&
    field !== "critical" &&
    field !== "repeat" &&
    (typeof value === "number" || typeof value === "boolean")
  )
}

/** A number, or a text or truth value that stands for one; null for anything else. */
export function numberOf(value: JsonValue | undefined): number | null {
  if (typeof value === "boolean") return Number(value)
  if (typeof value === "string" && value.trim() !== "") return finite(Number(value))
  return typeof value === "number" ? finite(value) : null
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
