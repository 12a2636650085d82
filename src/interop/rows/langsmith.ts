import type { ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject } from "../../core/json.ts"
import { figureOf, member, objectOf, textOf } from "../fields.ts"
import { unwrapped } from "../otlp/messages.ts"
import type { RowFile } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Runs of LangSmith: of an experiment those that answer an example of the data set, with the mean of each feedback; of any other project the
 * calls of models. Facts: docs.langchain.com, "Run (span) data format".
 */
export const langsmith: RowFormat = {
  is: (row) =>
    "run_type" in row && "inputs" in row && ("start_time" in row || "dotted_order" in row || "feedback_stats" in row),
  open: langsmithLog,
}

async function langsmithLog(file: RowFile): Promise<ForeignLog> {
  let isExperiment = false
  for await (const read of file.rows()) isExperiment ||= "row" in read && exampleOf(read.row) !== undefined
  return rowsLog(file, { tool: "langsmith", isUniform: isExperiment, hasScores: false }, (row, where, occasions) => {
    const id = exampleOf(row)
    if (isExperiment ? id === undefined : row.run_type !== "llm") return []
    const extra = unwrapped(row.extra)
    const facts = callFacts({
      ...{ input: row.inputs, output: row.outputs, start: row.start_time, end: row.end_time },
      firstToken: row.first_token_time,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      cost: row.total_cost,
      error: row.error,
    })
    const variant =
      textOf(member(extra, "metadata", "ls_model_name")) ??
      textOf(member(extra, "invocation_params", "model")) ??
      textOf(row.session_name)
    return rowRecord(
      { ...facts, ...(id !== undefined && { id }), variant, scores: scoresOf(row) },
      "LangSmith",
      where,
      occasions,
    )
  })
}

function exampleOf({ reference_example_id: id }: JsonObject): string | undefined {
  return textOf(id) || undefined
}

function scoresOf(row: JsonObject): Record<string, ForeignScore> {
  const feedback = Object.entries(objectOf(unwrapped(row.feedback_stats)) ?? {}).map(
    ([name, stats]): [string, ForeignScore] => [
      name,
      figureOf(member(stats, "avg")) ?? { reason: "the feedback is a label, which has no mean" },
    ],
  )
  return Object.fromEntries(feedback)
}
