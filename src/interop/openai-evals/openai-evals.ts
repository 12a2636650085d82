import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignAnswer, ForeignLog, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { canonicalJson, contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { countOf, listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import { type BadLine, jsonLines, type PlacedValue } from "../json-file.ts"
import { createOccasions, type Occasions } from "../occasions.ts"

/** Whether a line is an output item of OpenAI's Evals, or an item with its sample. */
export function isOutputItem(row: JsonObject): boolean {
  if (row.object === "eval.run.output_item" || ("datasource_item" in row && "sample" in row)) return true
  return objectOf(row.item) !== undefined && Object.keys(row).every((key) => key === "item" || key === "sample")
}

/** Whether a document is a page of output items, as the service lists them. */
export function isOutputItems(document: JsonObject): boolean {
  const first = listOf(document.data)[0]
  return document.object === "list" && first !== undefined && isOutputItem(objectOf(first) ?? {})
}

/** Output items of a run of OpenAI's Evals as lines, or items with the samples that were drawn for them. */
export function openaiEvalsLines(path: string, given: string): ForeignLog {
  return log(given, () => jsonLines(path, given))
}

/** A page of output items. */
export function openaiEvalsDocument(document: JsonValue, given: string): ForeignLog {
  return log(given, async function* () {
    for (const [i, value] of listOf(member(document, "data")).entries()) yield { value, where: `${given}#data/${i}` }
  })
}

function log(file: string, values: () => AsyncIterable<PlacedValue | BadLine>): ForeignLog {
  return {
    tool: "openai-evals",
    file,
    dataset: "openai-evals",
    startedAt: null,
    metrics: new Map(),
    notes: [],
    async *records() {
      const occasions = createOccasions()
      for await (const read of values()) yield "value" in read ? itemRecord(read, occasions) : read
    },
  }
}

/** Fields that hold what is expected, in the order in which they are looked for. */
const references = ["ideal", "expected", "reference", "answer", "target", "correct_label"]

function itemRecord({ value, where }: PlacedValue, occasions: Occasions): ForeignRecord | SkippedRow {
  const row = objectOf(value)
  const item = objectOf(row?.datasource_item) ?? objectOf(row?.item)
  if (!row || !item) return { where, field: "datasource_item", reason: "there is no item" }
  const variant = textOf(member(row.sample, "model")) ?? "model"
  const id = contentHash(item, 16)
  const ideal = references.find((name) => Object.hasOwn(item, name))
  return {
    variant,
    sample: foreignSample({
      id,
      input: inputOf(item, row.sample),
      references: ideal === undefined ? [] : textsOf(item[ideal]),
      metadata: { item },
    }),
    repeat: occasions.next(variant, id),
    answer: row.sample === undefined ? null : answerOf(row.sample, row.status),
    scores: scoresOf(row),
    where,
  }
}

/** The item's own question, else what was sent, else all of the item. */
function inputOf(item: JsonObject, sample: JsonValue | undefined): string {
  for (const name of ["input", "question", "prompt", "query"]) {
    const own = item[name]
    if (typeof own === "string") return own
    if (Array.isArray(own)) return canonicalJson(own)
  }
  const sent = listOf(member(sample, "input")).findLast((one) => member(one, "role") === "user")
  return textOf(member(sent, "content")) ?? canonicalJson(item)
}

function answerOf(sample: JsonValue, status: JsonValue | undefined): ForeignAnswer {
  const output = listOf(member(sample, "output")).findLast((one) => member(one, "role") === "assistant")
  const error = textOf(member(sample, "error", "message"))
  const finish = textOf(member(sample, "finish_reason")) ?? null
  const failed = status === "error" || (error !== undefined && error !== "")
  return foreignAnswer(
    {
      text: textOf(member(output, "content")) ?? "",
      finishReason: finish,
      ...(failed && {
        outcome: "application_error" as const,
        failure: { message: (error ?? "the item failed").slice(0, 2000) },
      }),
      usage: {
        promptTokens: countOf(member(sample, "usage", "prompt_tokens")),
        completionTokens: countOf(member(sample, "usage", "completion_tokens")),
        cachedPromptTokens: countOf(member(sample, "usage", "cached_tokens")),
      },
      servedModel: textOf(member(sample, "model")) ?? null,
    },
    "OpenAI Evals",
  )
}

/** Each grader's score, and whether it passed where it gives no score. */
function scoresOf(row: JsonObject): Record<string, ForeignScore> {
  const scores: [string, ForeignScore][] = []
  for (const result of listOf(row.results)) {
    const name = textOf(member(result, "name"))?.replace(/-[0-9a-f]{8}-[0-9a-f-]{27}$/, "")
    if (name === undefined) continue
    const value = numberOf(member(result, "score")) ?? numberOf(member(result, "passed"))
    scores.push([name, value ?? { reason: "the grader gave no score" }])
  }
  return Object.fromEntries(scores)
}
