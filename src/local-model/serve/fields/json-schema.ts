import { z } from "zod"
import type { JsonObject } from "../../../core/json.ts"

/** Deeper than any schema that a grammar can be made of. */
const deepestSchema = 64

/** Checked level by level: what goes down by recursion ends at the stack's end. */
function isNestedWithin(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return false
    level = level.flatMap((node) => (node !== null && typeof node === "object" ? Object.values(node) : []))
  }
  return true
}

/** A JSON schema in a request: an object, not too deep. */
export const jsonSchema = z
  .record(z.string(), z.unknown())
  .refine((schema) => isNestedWithin(schema, deepestSchema), `a schema is nested ${deepestSchema} levels deep at most`)
  .transform((schema) => schema as JsonObject)
