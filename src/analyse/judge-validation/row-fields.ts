import { UsageError } from "../../core/errors.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"

/** Words that mean a score. */
const words = new Map([
  ["yes", 1],
  ["true", 1],
  ["pass", 1],
  ["correct", 1],
  ["partly", 0.5],
  ["tie", 0.5],
  ["no", 0],
  ["false", 0],
  ["fail", 0],
  ["incorrect", 0],
])

/** A score, null for "none" (also the empty text of CSV), undefined for anything else. */
export function wordScore(value: JsonValue | undefined, table: ReadonlyMap<string, number>): number | null | undefined {
  if (value === undefined || value === null || value === "" || value === "invalid") return null
  return typeof value === "string" ? table.get(value.trim().toLowerCase()) : undefined
}

/** @throws {UsageError} for anything that is no score and not "none" */
export function scoreOf(row: JsonObject, field: string, where: string): number | null {
  const value = fieldOf(row, field)
  if (value === undefined)
    throw new UsageError(`the row has no "${field}"`, {
      code: "bad_row",
      where,
      hint: 'write rows {"id", "judge", "human"}, with null where there is none, or name the columns with --judge and --human',
    })
  if (typeof value === "number" && Number.isFinite(value)) return value
  if (typeof value === "boolean") return Number(value)
  const score = wordScore(value, words)
  if (score === undefined) throw badField(where, field, "a number, true, false, yes, partly, no or null", value)
  return score
}

/** The id in one column, or in several with commas between. */
export function idOf(row: JsonObject, field: string, where: string): string {
  const fields = Object.hasOwn(row, field) ? [field] : field.split(",")
  const parts = fields.map((name) => {
    const part = fieldOf(row, name)
    if (typeof part !== "string" && typeof part !== "number") throw badField(where, name, "a text or a number", part)
    return String(part)
  })
  return parts.join(" / ")
}

/** A field by its name, or by the names on the way to it with dots between. */
export function fieldOf(row: JsonObject, field: string): JsonValue | undefined {
  if (Object.hasOwn(row, field)) return row[field]
  let value: JsonValue | undefined = row
  for (const name of field.split(".")) {
    if (value === null || typeof value !== "object" || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined
    value = (value as JsonObject)[name]
  }
  return value
}

/** What is wrong with a field, with file and line. */
export function badField(where: string, field: string, expected: string, value: JsonValue | undefined): UsageError {
  const got = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60)
  return new UsageError(`expected ${expected}, got ${got}`, { code: "bad_row", where: `${where}, field ${field}` })
}
