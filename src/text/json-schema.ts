import type { Options, ValidateFunction } from "ajv"
import { messageOf, UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"

/** How a schema is compiled. */
export interface SchemaOptions {
  /** Of messages: where the schema stands. */
  readonly where: string
  /** `checked`: a text must be of its `format`, and a format that nobody knows is refused; `ignored`: as if it were not there. */
  readonly formats: "checked" | "ignored"
  /** Whether values that are checked are changed to the types that the schema states ("5" to 5). */
  readonly coerceTypes?: boolean
}

/**
 * A check by JSON schema, of draft 6 to 2020-12 as its `$schema` states; without one 2020-12, or draft 7 where the schema can be that only.
 * ajv is loaded at the first call.
 *
 * @throws UsageError for a schema that cannot be compiled, naming `where`
 */
export async function compileSchema(
  schema: JsonObject,
  { where, formats, coerceTypes = false }: SchemaOptions,
): Promise<ValidateFunction> {
  const { Ajv2020 } = await import("ajv/dist/2020.js")
  const { Ajv2019 } = await import("ajv/dist/2019.js")
  const { Ajv } = await import("ajv")
  const { default: addFormats } = await import("ajv-formats")
  const isChecked = formats === "checked"
  const warn = (message: unknown) => {
    throw new Error(String(message).replace(" ignored", ""))
  }
  const options: Options = {
    strict: false,
    coerceTypes,
    validateFormats: isChecked,
    logger: isChecked && { warn, log: () => {}, error: () => {} },
  }
  const { $schema: dialect, ...rest } = schema
  const drafts = [Ajv2020, Ajv2019, Ajv].filter((_, i) => {
    const pattern = [/2020-12/, /2019-09/, /draft-0[67]/][i]
    return dialect === undefined ? i !== 1 : pattern?.test(String(dialect))
  })
  let fault: unknown = new Error(`the dialect ${String(dialect).slice(0, 100)} is not known; draft 6 to 2020-12 are`)
  for (const [i, Draft] of drafts.entries())
    try {
      const ajv = new Draft(options)
      if (isChecked) addFormats.default(ajv)
      return ajv.compile(rest)
    } catch (error) {
      if (i === 0) fault = error
    }
  throw new UsageError(`the schema cannot be compiled (${messageOf(fault).slice(0, 300)})`, { where, cause: fault })
}
