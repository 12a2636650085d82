import type { SkippedRow } from "../../core/dataset.ts"
import { firstCharacters } from "../../core/first-characters.ts"
import type { ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import type { Sample } from "../../core/sample.ts"
import { figureOf, listOf, member, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import type { Occasions } from "../occasions.ts"
import { inputIn } from "../rows/call.ts"

/** What a row's file says of it. */
export interface RowContext {
  readonly variant: string
  /** Set where several tasks are read together: their documents may have the same hash. */
  readonly task: string | null
  /** Whether the file holds each answer once for each of several filters; then metrics carry the filter's name. */
  readonly severalFilters: boolean
  /** Metrics that several tasks have: each task has a figure of its own. */
  readonly shared: ReadonlySet<string>
}

/** A row of lm-eval's samples. Rows of one document that differ in their filter are one answer. */
export function recordOf(
  row: JsonObject,
  where: string,
  context: RowContext,
  occasions: Occasions,
): ForeignRecord | SkippedRow {
  const key = textOf(row.doc_hash) ?? (row.doc === undefined ? undefined : contentHash(row.doc)) ?? textOf(row.doc_id)
  if (key === undefined) return { where, field: "doc_hash", reason: "the row has neither doc_hash nor doc nor doc_id" }
  const { variant, task } = context
  const own = firstCharacters(key, 16)
  const id = task === null ? own : `${task}/${own}`
  const filter = filterOf(row)
  const repeat = occasions.next(id, filter)
  const isFirst = occasions.next(id, String(repeat)) === 0
  const { prompt, choices } = argumentsOf(row)
  return {
    variant,
    repeat,
    where,
    sample: foreignSample({
      id,
      input: prompt,
      choices,
      references: textsOf(row.target),
      metadata: { doc_id: row.doc_id ?? null, doc: row.doc ?? null, ...(task !== null && { task }) },
    }),
    answer: isFirst ? foreignAnswer({ text: answerText(row, choices) }, "lm-eval") : null,
    scores: scoresOf(row, context),
  }
}

/** Fields of a row that are no metrics. */
const fields = new Set([
  ...["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "task_name", "task"],
  ...["doc_hash", "prompt_hash", "target_hash", "schema", "schema_version"],
])

/** The metrics of a row: those that it names, or, before December 2024 (0.4.0 to 0.4.6), every field that is no other. */
export function metricsOf(row: JsonObject): readonly string[] {
  const own = Array.isArray(row.metrics) ? textsOf(row.metrics) : Object.keys(row).filter((name) => !fields.has(name))
  return own.filter((name) => Object.hasOwn(row, name))
}

export function filterOf(row: JsonObject): string {
  return textOf(row.filter) ?? "none"
}

interface Asked {
  readonly prompt: Sample["input"]
  /** Continuations that were weighed against each other; empty for generated answers. */
  readonly choices: readonly string[]
}

/** `{ gen_args_0: { arg_0: prompt, arg_1: continuation or settings } }`; older versions have a list of lists. */
function argumentsOf(row: JsonObject): Asked {
  const all = objectOf(row.arguments) ? Object.values(objectOf(row.arguments) as JsonObject) : listOf(row.arguments)
  const pairs = all.map((call) => (Array.isArray(call) ? listOf(call) : [member(call, "arg_0"), member(call, "arg_1")]))
  const asked = pairs[0]?.[0]
  // Of a chat, a list with the messages as JSON.
  const prompt = Array.isArray(asked) ? inputIn(firstText(asked)) : textOf(asked)
  const continuations = pairs.map((pair) => pair[1]).filter((text) => typeof text === "string")
  return {
    prompt: prompt ?? null,
    choices: continuations.length === pairs.length && pairs.length > 1 ? (continuations as readonly string[]) : [],
  }
}

/** What was generated, or the continuation that the model holds most likely. */
function answerText(row: JsonObject, choices: readonly string[]): string {
  const filtered = listOf(row.filtered_resps)
  if (choices.length > 0) {
    const likelihoods = filtered.map((value) => Number(listOf(value)[0] ?? value))
    const best = likelihoods.reduce(
      (max, value, i) => (value > (likelihoods[max] ?? Number.NEGATIVE_INFINITY) ? i : max),
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

/** The row's own figure for each metric. What is a list (the parts of a corpus metric) is no score of a row. */
function scoresOf(row: JsonObject, { task, severalFilters, shared }: RowContext): Record<string, ForeignScore> {
  const scores = metricsOf(row).flatMap((metric): [string, ForeignScore][] => {
    const value = row[metric]
    if (isParts(value)) return []
    const own = severalFilters ? `${metric},${filterOf(row)}` : metric
    const score = figureOf(value) ?? {
      reason: `the file has ${value === null ? "no number" : "something else than a number"} for it`,
    }
    return task !== null && shared.has(metric)
      ? [
          [own, score],
          [`${task}/${own}`, score],
        ]
      : [[own, score]]
  })
  return Object.fromEntries(scores)
}

/** Whether a value holds what a figure over all answers is computed from: F1, perplexity, BLEU. */
export function isParts(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null
}
