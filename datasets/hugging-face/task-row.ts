import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import type { RawRow, ReadRow } from "../bad-row.ts"
import type { FieldSpec } from "./task-file.ts"

/** A row of a benchmark's data in the columns that `dataset()` reads; a bad row where it lacks one that the task names. */
export function taskRow({ row, where }: RawRow, spec: FieldSpec): ReadRow {
  const named = [spec.id, spec.input, targetColumn(spec), ...[spec.choices ?? []].flat(), ...spec.metadata]
  const missing = named.find((name) => name !== null && !Object.hasOwn(row, name))
  if (missing !== undefined) return { where, field: missing, reason: "the row has no such column" }
  const target = targetOf(row, spec)
  if (target === undefined)
    return { where, field: spec.target, reason: "the position of the right choice has no letter from A to Z" }
  const own: Record<string, JsonValue> = {}
  // A table of somebody else's may have any name.
  for (const name of spec.metadata) if (name !== "__proto__") own[name] = row[name] as JsonValue
  return {
    where,
    row: {
      ...own,
      ...(spec.id !== null && { id: row[spec.id] as JsonValue }),
      input: row[spec.input] as JsonValue,
      ...(target !== null && { references: target }),
      ...(spec.choices !== null && { choices: choicesOf(row, spec.choices) }),
    },
  }
}

function targetColumn({ target }: FieldSpec): string | null {
  return target?.startsWith(literal) ? null : target
}

const literal = "literal:"

/** The answer; a whole number is the position of the right choice, which is known by its letter. Undefined: there is no such letter. */
function targetOf(row: JsonObject, { target }: FieldSpec): JsonValue | undefined {
  if (target === null) return null
  if (target.startsWith(literal)) return target.slice(literal.length)
  const value = row[target] as JsonValue
  if (!Number.isInteger(value)) return value
  return letters[value as number]
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

function choicesOf(row: JsonObject, choices: string | readonly string[]): JsonValue {
  return typeof choices === "string" ? (row[choices] as JsonValue) : choices.map((name) => row[name] as JsonValue)
}
