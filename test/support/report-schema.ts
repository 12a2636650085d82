import { readFileSync } from "node:fs"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import type { RunReport } from "../../src/core/report/report.ts"

const open = JSON.parse(
  readFileSync(new URL("../../reports/schema/report-1.schema.json", import.meta.url), "utf8"),
) as object

/** The published schema with no undocumented field allowed. */
const closed = JSON.parse(JSON.stringify(open), (_key, value: unknown) =>
  value !== null && typeof value === "object" && "properties" in value && "required" in value
    ? { ...value, additionalProperties: false }
    : value,
) as object

const compile = (schema: object) => new Ajv2020({ allErrors: true, strictTypes: false }).compile(schema)
let once: readonly ValidateFunction[] | undefined
const compiled = () => {
  once ??= [open, closed].map(compile)
  return once
}

/** What the published schema objects to in a report; empty when it is valid and the schema documents every field of it. */
export function schemaErrors(report: RunReport): readonly string[] {
  const value = JSON.parse(JSON.stringify(report)) as unknown
  const errors = (validate: ValidateFunction) => (validate(value) ? [] : (validate.errors ?? []))
  return compiled()
    .flatMap(errors)
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}
