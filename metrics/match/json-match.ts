import { UsageError } from "../../src/core/errors.ts"
import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions, type OptionKinds } from "../../src/core/options.ts"
import { equalJson, parseJsonAnswer } from "../text/json-answer.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link jsonMatch}. @public */
export interface JsonMatchOptions {
  readonly name?: string
  /**
   * - `valid`: the answer is JSON
   * - `schema`: it fulfils `schema`
   * - `fields` (default without a schema): share of the reference's fields that it has with equal values
   * - `equal`: it equals the reference, whatever the order of keys
   */
  readonly check?: "valid" | "schema" | "fields" | "equal"
  /** JSON schema (draft 7) for `schema`, which is the default check when it is given. */
  readonly schema?: JsonObject
  /** Only these fields of the reference, for `fields`; all by default. */
  readonly fields?: readonly string[]
}

const jsonMatchOptions: OptionKinds<JsonMatchOptions> = {
  name: "text",
  check: { fields: "word", schema: "word", valid: "word", equal: "word" },
  schema: "object",
  fields: "list",
}

/**
 * JSON match: whether the answer is JSON, fulfils a schema, or agrees with a reference field by field. A code fence around the
 * JSON is removed; other text around it makes it invalid. The best of several references; the summary is the mean.
 *
 * An answer that is not JSON is 0. Nesting beyond 500 levels counts as invalid. Fields are the reference's top-level members, compared
 * deeply; what the answer has beyond them does not count against it (`equal` does).
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Unscored: `no_reference` (`fields`, `equal`), also when no reference is
 * JSON (for `fields`: an object).
 *
 * Misleads where equal things are written differently ("3" and 3, two spellings of a date): values are compared as JSON has
 * them. Source: RFC 8259 for what is JSON, draft 7 for schemas; the share of fields is evalkit's own definition.
 *
 * @throws UsageError for a schema that ajv cannot compile
 * @example
 * // output '```json\n{"a": 1, "b": 3}\n```', references ['{"a": 1, "b": 2}']
 * jsonMatch() // 0.5
 * @public
 */
export function jsonMatch(options: JsonMatchOptions = {}): Metric<number> {
  checkOptions("jsonMatch", options, jsonMatchOptions)
  const { name = "jsonMatch", schema, fields } = options
  const check = options.check ?? (schema === undefined ? "fields" : "schema")
  if (check === "schema" && schema === undefined)
    throw new UsageError("the check `schema` needs a schema", {
      where: "jsonMatch({ check })",
      hint: "add schema: { … }",
    })
  const validate = schema === undefined ? null : lazySchema(schema)
  return meanMetric({
    name,
    signature: signature("jsonMatch", { check, ...(check === "fields" ? { fields: fields?.join(",") ?? "all" } : {}) }),
    unit: "share",
    measure(sample, generation) {
      if (check === "valid") return Number(parseJsonAnswer(generation.text) !== undefined)
      if (check === "schema" && validate !== null) {
        const answer = parseJsonAnswer(generation.text)
        return answer === undefined ? 0 : validate(answer).then(Number)
      }
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const expected = references.flatMap((reference) => {
        const value = parseJsonAnswer(reference)
        return value === undefined || (check === "fields" && !isObject(value)) ? [] : [value]
      })
      if (expected.length === 0)
        return unscored("no_reference", `no reference is ${check === "fields" ? "a JSON object" : "JSON"}`)
      const answer = parseJsonAnswer(generation.text)
      if (answer === undefined) return 0
      const score = (reference: JsonValue) =>
        check === "equal" ? Number(equalJson(answer, reference)) : sharedFields(answer, reference, fields)
      return Math.max(...expected.map(score))
    },
  })
}

/** Compiles at the first answer: ajv is loaded only where a schema is used. */
function lazySchema(schema: JsonObject): (value: JsonValue) => Promise<boolean> {
  let compiled: Promise<(value: JsonValue) => boolean> | undefined
  const compile = async () => {
    const { Ajv } = await import("ajv")
    try {
      return new Ajv({ strict: false, allErrors: false }).compile(schema) as (value: JsonValue) => boolean
    } catch (error) {
      throw new UsageError(`the schema cannot be compiled (${error instanceof Error ? error.message : error})`, {
        where: "jsonMatch({ schema })",
        cause: error,
      })
    }
  }
  return async (value) => {
    compiled ??= compile()
    return (await compiled)(value)
  }
}

function sharedFields(answer: JsonValue, reference: JsonValue, only: readonly string[] | undefined): number {
  if (!isObject(reference)) return 0
  const names = Object.keys(reference).filter((name) => only === undefined || only.includes(name))
  if (names.length === 0) return isObject(answer) ? 1 : 0
  if (!isObject(answer)) return 0
  const equal = names.filter(
    (name) => Object.hasOwn(answer, name) && equalJson(answer[name] as JsonValue, reference[name] as JsonValue),
  )
  return equal.length / names.length
}
