import type { JsonObject, JsonValue } from "../src/core/json.ts"
import type { Sample } from "../src/core/sample.ts"
import {
  BadField,
  type RawInput,
  toCopyOf,
  toId,
  toInput,
  toList,
  toMedia,
  toText,
  toTools,
  toTurns,
  withMedia,
} from "./field-values.ts"
import { type FieldMapping, findField, type SampleField } from "./fields.ts"

/** A sample whose pictures and recordings are not read yet. */
export type RawSample = Omit<Sample, "input"> & { readonly input: RawInput }

/** A sample, or the field that is at fault, and why. */
export type SampleResult =
  | { readonly sample: RawSample; readonly columns: ReadonlyMap<SampleField, string> }
  | { readonly field: string; readonly reason: string }

/** Options of {@link toSample}. */
export interface ToSampleOptions {
  /** An empty text counts as "not given" in every field but the input: CSV has no other way to say so. Default: false. */
  readonly emptyIsAbsent?: boolean
}

/**
 * Turns a row into a sample. `number` is the row's place in its file (1, 2, 3 …): a row without an id is `row-<number>`.
 *
 * @example toSample({ question: "2+2?", answer: 4 }, 1, {}) // sample: id "row-1", input "2+2?", references ["4"]
 */
export function toSample(
  row: JsonObject,
  number: number,
  mapping: FieldMapping,
  options: ToSampleOptions = {},
): SampleResult {
  const used = new Set<string>()
  const columns = new Map<SampleField, string>()
  let current: SampleField = "id"
  const get = (field: SampleField): JsonValue | undefined => {
    current = field
    const { value, column } = findField(row, field, mapping)
    if (column !== null) used.add(column)
    if (
      (value === undefined || value === null) &&
      mapping[field] !== undefined &&
      (field === "id" || field === "input")
    )
      throw new BadField(
        `the row has no ${typeof mapping[field] === "string" ? `"${mapping[field]}"` : "value for it"}`,
      )
    if (value === "" && options.emptyIsAbsent && field !== "input") return undefined
    const from = column ?? mapping[field]
    if (value !== undefined && value !== null && typeof from === "string") columns.set(field, from)
    return value ?? undefined
  }
  try {
    // A column of this name that is no list, or beside an input that was named, is a column like any other.
    const isConversation = mapping.turns !== undefined || (mapping.input === undefined && Array.isArray(row.turns))
    const ofTurns = isConversation ? get("references") : undefined
    const turns = isConversation ? toTurns(get("turns"), ofTurns) : undefined
    current = "id"
    const id = toId(get("id") ?? (turns && questionId(row, used))) ?? `row-${number}`
    const words = toInput(get("input") ?? turns?.[0]?.content)
    const input = withMedia(withMedia(words, toMedia("audio", get("audio"))), toMedia("image", get("images")))
    const answer = turns ? undefined : get("references")
    const retrieved = get("context")
    const context = toList(retrieved)
    const options = get("choices")
    const choices = toList(options)
    current = "references"
    const references = turns ? (turns.at(-1)?.references ?? []) : toReferences(answer, options, choices)
    const calls = get("expectedTools")
    const expectedTools = toTools(calls)
    const stated = { context: retrieved, expectedTools: calls }
    const empty = (["context", "expectedTools"] as const).filter((field) => isEmptyList(stated[field]))
    const group = toText(get("group"))
    const cluster = toText(get("cluster"))
    const isCritical = toFlag(get("critical"), mapping.critical === undefined, used)
    const label = get("label")
    const copyOf = toCopyOf(get("copyOf"))
    return {
      columns,
      sample: {
        id,
        input,
        ...(turns && { turns }),
        references,
        context,
        choices,
        expectedTools,
        ...(empty.length > 0 && { empty }),
        ...(group === undefined ? {} : { group }),
        ...(cluster === undefined ? {} : { cluster }),
        ...(isCritical ? { critical: true } : {}),
        ...(label === undefined ? {} : { label }),
        ...(copyOf === undefined ? {} : { copyOf }),
        metadata: Object.fromEntries(Object.entries(row).filter(([key]) => !used.has(key))),
      },
    }
  } catch (error) {
    if (error instanceof BadField) return { field: current, reason: error.message }
    throw error
  }
}

function isEmptyList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length === 0
}

/** The references; a whole number beside options that are texts is the place of the right one, from 0, as MMLU has it. */
function toReferences(
  answer: JsonValue | undefined,
  options: JsonValue | undefined,
  choices: readonly string[],
): readonly string[] {
  const areTexts = Array.isArray(options) && options.every((option) => typeof option === "string")
  const right = typeof answer === "number" && areTexts ? choices[answer] : undefined
  if (right === undefined) return toList(answer)
  // A text that looks like a letter would be taken for one.
  return [/^[A-Z]$/.test(right) ? String.fromCharCode(65 + (answer as number)) : right]
}

/** Whether a sample must not break; a column of the usual name that is neither true nor false is a column like any other. */
function toFlag(value: JsonValue | undefined, isDefaultName: boolean, used: Set<string>): boolean {
  if (value === undefined || value === "") return false
  const text = String(value).trim().toLowerCase()
  if (text === "true" || text === "1" || text === "yes") return true
  if (text === "false" || text === "0" || text === "no") return false
  if (!isDefaultName) throw new BadField(`expected true or false, got ${JSON.stringify(value).slice(0, 60)}`)
  used.delete("critical")
  return false
}

/** MT-bench and its like number their conversations so. */
function questionId(row: JsonObject, used: Set<string>): JsonValue | undefined {
  if (!Object.hasOwn(row, "question_id")) return undefined
  used.add("question_id")
  return row.question_id ?? undefined
}
