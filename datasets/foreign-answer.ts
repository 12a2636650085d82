import { UsageError } from "../src/core/errors.ts"
import type { Generation, TokenLogprob } from "../src/core/generation.ts"
import type { JsonObject, JsonValue } from "../src/core/json.ts"
import type { Sample } from "../src/core/sample.ts"
import { foreignGeneration } from "../src/text/reading/foreign-generation.ts"
import { truthValue } from "../src/text/truth-value.ts"
import type { RawRow } from "./bad-row.ts"
import { BadField, toText, toTools } from "./field-values.ts"
import { toSample } from "./to-sample.ts"

/**
 * A row of a foreign file as a sample with its generation: `{ id, output, references, input, context, choices, group,
 * cluster, label, expectedTools }` and, of the answer, `{ confidence, correct, prediction, toolCalls, logprobs, repeat }`.
 * An output of null is a failed answer: unscored, never 0.
 *
 * @param number place of the row in its file, from 1
 * @throws UsageError naming file, line and field
 */
export function foreignAnswer(
  { row, where }: RawRow,
  number: number,
): { readonly sample: Sample; readonly generation: Generation; readonly where: string } {
  // CSV has no other way to say "not given".
  const emptyIsAbsent = /\.[ct]sv\b/i.test(where)
  const result = toSample(row, number, {}, { emptyIsAbsent })
  if (!("sample" in result)) throw badRow(where, result.field, result.reason)
  const { input } = result.sample
  if (typeof input === "object" && input?.some(({ parts }) => parts))
    throw badRow(where, "input", "pictures and recordings are read for runs only; give the words alone")
  const sample = result.sample as Sample
  return { sample, generation: generationOf(row, sample.id, where, emptyIsAbsent), where }
}

function generationOf(row: JsonObject, sampleId: string, where: string, emptyIsAbsent: boolean): Generation {
  const field = <Value>(name: string, read: (value: JsonValue) => Value): Value | undefined => {
    const value = Object.hasOwn(row, name) ? row[name] : undefined
    if (value === undefined || value === null || (value === "" && emptyIsAbsent && name !== "output")) return undefined
    try {
      return read(value)
    } catch (error) {
      throw error instanceof BadField ? badRow(where, name, error.message) : error
    }
  }
  if (!Object.hasOwn(row, "output"))
    throw badRow(
      where,
      "output",
      `the row has no "output", only ${Object.keys(row).slice(0, 8).join(", ") || "nothing"}`,
      outputHint(Object.keys(row)),
    )
  const text = field("output", toText)
  const values = {
    confidence: field("confidence", (value) => number(value, 0, 1)),
    correct: field("correct", (value) => number(value, 0, 1)),
    prediction: field("prediction", (value) => value),
  }
  return foreignGeneration({
    sampleId,
    repeat: field("repeat", wholeNumber) ?? 0,
    outcome: text === undefined ? "malformed" : "ok",
    text: text ?? "",
    reasoning: field("reasoning", toText) ?? "",
    toolCalls: field("toolCalls", toTools) ?? field("tool_calls", toTools) ?? [],
    logprobs: field("logprobs", tokenLogprobs) ?? null,
    failure: text === undefined ? { message: "the row's `output` is null" } : null,
    given: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
  })
}

function badRow(where: string, field: string, reason: string, hint?: string): UsageError {
  return new UsageError(reason, { code: "bad_row", where: `${where}, field ${field}`, ...(hint && { hint }) })
}

/** How the column of the answers is named, by what the row has. */
function outputHint(columns: readonly string[]): string {
  // A simple name only: it stands in a line that a person pastes into a shell.
  const meant = columns.find(
    (name) =>
      /^[\w.-]{1,40}$/.test(name) &&
      /answer|output|response|completion|predict|generat|reply/i.test(name) &&
      !/correct|expect|gold|right|true/i.test(name),
  )
  return `name the column of the answers: --output-column ${meant ?? "COLUMN"}`
}

/** A number within bounds; texts that are numbers (CSV) and truth values count. */
function number(value: JsonValue, low: number, high: number): number {
  const truth = typeof value === "string" ? truthValue(value) : value
  const read = typeof truth === "boolean" ? Number(truth) : value === "" ? Number.NaN : value
  const result = typeof read === "number" || typeof read === "string" ? Number(read) : Number.NaN
  if (result >= low && result <= high) return result
  throw new BadField(`expected a number from ${low} to ${high}, got ${JSON.stringify(value).slice(0, 60)}`)
}

function wholeNumber(value: JsonValue): number {
  const result = number(value, 0, 1e9)
  if (Number.isInteger(result)) return result
  throw new BadField(`expected a whole number, got ${result}`)
}

function tokenLogprobs(value: JsonValue): TokenLogprob[] {
  if (!Array.isArray(value)) throw new BadField("expected a list of { token, logprob }")
  return (value as readonly JsonValue[]).map((item, i) => {
    const { token, logprob, top = [] } = (typeof item === "object" && item !== null ? item : {}) as JsonObject
    if (typeof token !== "string" || typeof logprob !== "number")
      throw new BadField(`token ${i}: expected { token, logprob }`)
    return { token, logprob, top: Array.isArray(top) ? tokenLogprobs(top).map(({ top: _, ...rest }) => rest) : [] }
  })
}
