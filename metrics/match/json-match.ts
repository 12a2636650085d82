import { UsageError } from "../../src/core/errors.ts"
import { parseExactJson } from "../../src/core/exact-json.ts"
import type { JsonObject, JsonValue } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { compileSchema } from "../../src/text/json-schema.ts"
import { equalJson, parseJsonAnswer } from "../../src/text/reading/json-answer.ts"
import { jsonObjectsAt } from "../../src/text/reading/json-objects.ts"
import { otherReadingsOf, type ReadingRow, readingDetails, readingsSection } from "../readings.ts"
import { rowMetric } from "../row-metric.ts"
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
  /** JSON schema (draft 6 to 2020-12, formats included) for `schema`, which is the default check when it is given. */
  readonly schema?: JsonObject
  /** Only these fields of the reference, for `fields`; all by default. */
  readonly fields?: readonly string[]
}

/**
 * JSON match: whether the answer is JSON, fulfils a schema, or agrees with a reference field by field. A code fence around the
 * JSON is removed; other text around it makes it invalid. The best of several references; the summary is the mean.
 *
 * An answer that is not JSON is 0; the lenient reading beside the figure takes the last JSON object in its text, and a verdict that turns with it
 * is inconclusive. Whole numbers are compared by all their digits. Nesting beyond 500 levels counts as invalid. Fields are the reference's top-level members, compared
 * deeply; what the answer has beyond them does not count against it (`equal` does).
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Unscored: `no_reference` (`fields`, `equal`), also when no reference is
 * JSON (for `fields`: an object).
 *
 * Misleads where equal things are written differently ("3" and 3, two spellings of a date): values are compared as JSON has
 * them. Source: RFC 8259 for what is JSON, json-schema.org for schemas; the share of fields is evalkit's own definition.
 *
 * @throws UsageError for a schema that cannot be compiled, before the first answer is asked for
 * @example
 * // output '```json\n{"a": 1, "b": 3}\n```', references ['{"a": 1, "b": 2}']
 * jsonMatch() // 0.5
 * @public
 */
export function jsonMatch(options: JsonMatchOptions = {}): Metric<ReadingRow> {
  checkOptions("jsonMatch", options)
  const { name = "jsonMatch", schema, fields } = options
  const check = options.check ?? (schema === undefined ? "fields" : "schema")
  if (check === "schema" && schema === undefined)
    throw new UsageError("the check `schema` needs a schema", {
      where: "jsonMatch({ check })",
      hint: "add schema: { … }",
    })
  let compiled: ReturnType<typeof compileSchema> | undefined
  const compile = (source: JsonObject) =>
    (compiled ??= compileSchema(source, { where: `${name}: jsonMatch({ schema })`, formats: "checked" }))
  return rowMetric<ReadingRow>({
    name,
    signature: signature("jsonMatch", { check, ...(check === "fields" ? { fields: fields?.join(",") ?? "all" } : {}) }),
    range: [0, 1],
    unit: "share",
    ...(check === "schema" && schema !== undefined && { prepare: async () => void (await compile(schema)) }),
    measure(sample, generation) {
      if (check === "valid") return readingOf(generation.text, JSON.parse, () => 1)
      if (check === "schema" && schema !== undefined)
        return readingOf(generation.text, JSON.parse, async (answer) => Number((await compile(schema))(answer)))
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const expected = references.flatMap((reference) => {
        const value = parseJsonAnswer(reference, parseExactJson)
        return value === undefined || (check === "fields" && !isObject(value)) ? [] : [value]
      })
      if (expected.length === 0)
        return unscored("no_reference", `no reference is ${check === "fields" ? "a JSON object" : "JSON"}`)
      const score = (answer: JsonValue) => (reference: JsonValue) =>
        check === "equal" ? Number(equalJson(answer, reference)) : sharedFields(answer, reference, fields)
      return readingOf(generation.text, parseExactJson, (answer) => Math.max(...expected.map(score(answer))))
    },
    value: (row) => row.value,
    details: readingDetails,
    readings: otherReadingsOf,
    section: (variants) => readingsSection(name, variants),
  })
}

/** The score of an answer that is JSON, and of the last object in one that is not. */
function readingOf(
  text: string,
  parse: (json: string) => JsonValue,
  score: (answer: JsonValue) => number | Promise<number>,
): ReadingRow | Promise<ReadingRow> {
  const whole = parseJsonAnswer(text, parse)
  const last = whole === undefined ? jsonObjectsAt(text).at(-1) : undefined
  const inner = last && parseJsonAnswer(text.slice(last.start, last.end), parse)
  const answer = whole === undefined ? inner : whole
  const rowOf = (lenient: number): ReadingRow => {
    const value = whole === undefined ? 0 : lenient
    return { value, strict: value, lenient, form: null, rule: null, read: null }
  }
  if (answer === undefined) return rowOf(0)
  const scored = score(answer)
  return typeof scored === "number" ? rowOf(scored) : scored.then(rowOf)
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
