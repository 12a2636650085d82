import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import type { PlacedValue } from "../json-file.ts"
import type { Occasions } from "../occasions.ts"

/** What a row's file says of it. */
export interface RowPlace {
  readonly variant: string
  /** Set where several tasks are read together: their documents may have the same hash. */
  readonly task: string | null
  /** Whether the file holds each answer once for each of several filters; then metrics carry the filter's name. */
  readonly severalFilters: boolean
  readonly occasions: Occasions
}

/** A row of lm-eval's samples. Rows of one document that differ in their filter are one answer. */
export function recordOf({ value, where }: PlacedValue, place: RowPlace): ForeignRecord | SkippedRow {
  const row = objectOf(value)
  if (!row) return { where, field: null, reason: "the line is no sample of lm-eval" }
  const key = textOf(row.doc_hash) ?? (row.doc === undefined ? undefined : contentHash(row.doc)) ?? textOf(row.doc_id)
  if (key === undefined) return { where, field: "doc_hash", reason: "the row has neither doc_hash nor doc nor doc_id" }
  const id = place.task === null ? key.slice(0, 16) : `${place.task}/${key.slice(0, 16)}`
  const filter = textOf(row.filter) ?? "none"
  const repeat = place.occasions.next(id, filter)
  const isFirst = place.occasions.next(id, String(repeat)) === 0
  const asked = argumentsOf(row)
  const answer = isFirst ? foreignAnswer({ text: answerText(row, asked.choices) }, "lm-eval") : null
  return {
    variant: place.variant,
    sample: foreignSample({
      id,
      input: asked.prompt,
      references: textsOf(row.target),
      choices: asked.choices,
      metadata: { doc_id: row.doc_id ?? null, doc: row.doc ?? null, ...(place.task !== null && { task: place.task }) },
    }),
    repeat,
    answer,
    scores: scoresOf(row, place.severalFilters ? filter : null),
    where,
  }
}

interface Asked {
  readonly prompt: string | null
  /** Continuations that were weighed against each other; empty for generated answers. */
  readonly choices: readonly string[]
}

/** `{ gen_args_0: { arg_0: prompt, arg_1: continuation or settings } }`; older versions have a list of lists. */
function argumentsOf(row: JsonObject): Asked {
  const all = objectOf(row.arguments) ? Object.values(objectOf(row.arguments) as JsonObject) : listOf(row.arguments)
  const pairs = all.map((one) => (Array.isArray(one) ? listOf(one) : [member(one, "arg_0"), member(one, "arg_1")]))
  const prompt = textOf(pairs[0]?.[0])
  const continuations = pairs.map((pair) => pair[1]).filter((one) => typeof one === "string")
  return {
    prompt: prompt ?? null,
    choices: continuations.length === pairs.length && pairs.length > 1 ? (continuations as readonly string[]) : [],
  }
}

/** What was generated, or the continuation that the model holds most likely. */
function answerText(row: JsonObject, choices: readonly string[]): string {
  const filtered = listOf(row.filtered_resps)
  if (choices.length > 0) {
    const likelihoods = filtered.map((one) => Number(listOf(one)[0] ?? one))
    const best = likelihoods.reduce(
      (most, value, i) => (value > (likelihoods[most] ?? Number.NEGATIVE_INFINITY) ? i : most),
      0,
    )
    return choices[best] ?? ""
  }
  const response = firstText(row.resps) ?? firstText(row.filtered_resps)
  return response ?? ""
}

function firstText(value: JsonValue | undefined): string | undefined {
  if (Array.isArray(value)) return firstText(value[0] as JsonValue | undefined)
  return textOf(value)
}

/** The row's own figure for each metric that it names. What is no number (the parts of a corpus metric) is no score of a row. */
function scoresOf(row: JsonObject, filter: string | null): Record<string, ForeignScore> {
  const scores: [string, ForeignScore][] = []
  for (const metric of listOf(row.metrics)) {
    if (typeof metric !== "string" || !Object.hasOwn(row, metric)) continue
    const value = row[metric]
    if (Array.isArray(value)) continue
    const name = filter === null ? metric : `${metric},${filter}`
    scores.push([
      name,
      numberOf(value) ?? {
        reason: `the file has ${value === null ? "no number" : "something else than a number"} for it`,
      },
    ])
  }
  return Object.fromEntries(scores)
}
