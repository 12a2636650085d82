import type { ForeignAnswer, ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { canonicalJson, contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { countOf, figureOf, listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import type { RowFile } from "../row-file.ts"
import { type RowFormat, rowsLog } from "../row-format.ts"

/** Whether a line is an output item of OpenAI's Evals, or an item with its sample. */
function isOutputItem(row: JsonObject): boolean {
  if (row.object === "eval.run.output_item" || ("datasource_item" in row && "sample" in row)) return true
  return objectOf(row.item) !== undefined && Object.keys(row).every((key) => key === "item" || key === "sample")
}

/** Output items of a run of OpenAI's Evals as rows, or items with the samples that were drawn for them. */
export const openaiEvals: RowFormat = { is: isOutputItem, open: openaiEvalsLog }

function openaiEvalsLog(file: RowFile): ForeignLog {
  return rowsLog(file, { tool: "openai-evals", hasScores: false }, (row, where, occasions) => {
    const item = objectOf(row.datasource_item) ?? objectOf(row.item)
    if (!item) return { where, field: "datasource_item", reason: "there is no item" }
    const ideal = references.find((name) => Object.hasOwn(item, name))
    const record = {
      variant: textOf(member(row.sample, "model")) ?? "model",
      where,
      sample: foreignSample({
        id: contentHash(item, 16),
        input: inputOf(item, row.sample),
        references: ideal === undefined ? [] : textsOf(item[ideal]),
        metadata: { item },
      }),
      answer: row.sample === undefined ? null : answerOf(row.sample, row.status),
      scores: scoresOf(row),
    }
    return { ...record, repeat: occasions.next(record.variant, record.sample.id) }
  })
}

/** Fields that hold what is expected, in the order in which they are looked for. */
const references = ["ideal", "expected", "reference", "answer", "target", "correct_label"]

/** The item's own question, else what was sent, else all of the item. */
function inputOf(item: JsonObject, sample: JsonValue | undefined): string {
  for (const name of ["input", "question", "prompt", "query"]) {
    const own = item[name]
    if (typeof own === "string") return own
    if (Array.isArray(own)) return canonicalJson(own)
  }
  const sent = listOf(member(sample, "input")).findLast((message) => member(message, "role") === "user")
  return textOf(member(sent, "content")) ?? canonicalJson(item)
}

function answerOf(sample: JsonValue, status: JsonValue | undefined): ForeignAnswer {
  const output = listOf(member(sample, "output")).findLast((message) => member(message, "role") === "assistant")
  const error = textOf(member(sample, "error", "message"))
  const finish = textOf(member(sample, "finish_reason")) ?? null
  const failed = status === "error" || (error !== undefined && error !== "")
  return foreignAnswer(
    {
      text: textOf(member(output, "content")) ?? "",
      finishReason: finish,
      failed: failed ? (error ?? "the item failed") : undefined,
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
    const value = figureOf(member(result, "score")) ?? numberOf(member(result, "passed"))
    scores.push([name, value ?? { reason: "the grader gave no score" }])
  }
  return Object.fromEntries(scores)
}
