import type { ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject } from "../../core/json.ts"
import { figureOf, member, objectOf, textOf } from "../fields.ts"
import { unwrapped } from "../otlp/messages.ts"
import type { RowFile } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Runs of LangSmith: of an experiment those that answer an example of the data set, with the mean of each feedback, also as the table of
 * `ExperimentResults.to_pandas()` or `Client.get_test_results()`; of any other project the calls of models. Facts: docs.langchain.com, "Run (span) data format".
 */
export const langsmith: RowFormat = {
  is: (row) =>
    isTableRow(row) ||
    ("run_type" in row && "inputs" in row && ("start_time" in row || "dotted_order" in row || "feedback_stats" in row)),
  open: langsmithLog,
}

async function langsmithLog(file: RowFile): Promise<ForeignLog> {
  let isExperiment = false
  for await (const read of file.rows()) isExperiment ||= "row" in read && exampleOf(asRun(read.row)) !== undefined
  return rowsLog(file, { tool: "langsmith", isUniform: isExperiment, hasScores: false }, (read, where, occasions) => {
    const row = asRun(read)
    const id = exampleOf(row)
    if (isExperiment ? id === undefined : row.run_type !== "llm") return []
    const extra = unwrapped(row.extra)
    const facts = callFacts({
      input: row.inputs,
      output: row.outputs,
      start: row.start_time,
      end: row.end_time,
      firstToken: row.first_token_time,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      cost: row.total_cost,
      error: row.error,
    })
    // A table of an experiment has durations and no moments.
    const { startedAtMs: _moment, ...undated } = facts
    const expected = callFacts({ input: null, output: row.reference, start: null, end: null }).text
    const variant =
      textOf(member(extra, "metadata", "ls_model_name")) ??
      textOf(member(extra, "invocation_params", "model")) ??
      textOf(row.session_name)
    return rowRecord(
      {
        ...(isTableRow(read) ? undated : facts),
        ...(id !== undefined && { id }),
        variant,
        scores: scoresOf(row),
        references: expected === "" ? [] : [expected],
      },
      "LangSmith",
      where,
      occasions,
    )
  })
}

function isTableRow(row: JsonObject): boolean {
  return "example_id" in row && "execution_time" in row && Object.keys(row).some((name) => name.startsWith("outputs."))
}

/** A row of a table of an experiment as the run that it is of: its times are those from an own beginning, in seconds. */
function asRun(row: JsonObject): JsonObject {
  if (!isTableRow(row)) return row
  const under = (prefix: RegExp) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) => (prefix.test(name) ? [[name.replace(prefix, ""), value]] : [])),
    )
  const seconds = figureOf(row.execution_time)
  const feedback = Object.entries(under(/^feedback\./)).flatMap(([name, avg]) =>
    avg === null || avg === "" ? [] : [[name, { avg }]],
  )
  return {
    run_type: "chain",
    reference_example_id: row.example_id ?? null,
    error: row.error ?? null,
    inputs: under(/^inputs?\./),
    outputs: under(/^outputs\./),
    reference: under(/^reference\./),
    feedback_stats: Object.fromEntries(feedback),
    ...(seconds !== undefined && { start_time: 1, end_time: 1 + seconds }),
  }
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
