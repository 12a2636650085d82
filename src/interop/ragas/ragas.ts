import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { figureOf, textOf, textsOf } from "../fields.ts"
import { pythonLiteral } from "../python-literal.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

/** Columns that are not scores: those of today, and before. */
const columns = new Set([
  ...["user_input", "response", "reference", "retrieved_contexts", "reference_contexts", "rubrics", "multi_responses"],
  ...["question", "answer", "ground_truth", "ground_truths", "contexts"],
  ...["retrieved_context_ids", "reference_context_ids", "index", "level_0", "Unnamed: 0", ""],
])

/** Results of Ragas (`result.to_pandas()`): a row a sample with its question, its answer and its passages, a column a metric. */
export const ragas: RowFormat = {
  is(row) {
    const isNew = "user_input" in row && "response" in row
    const isOld = "question" in row && "answer" in row && "contexts" in row
    const isScore = (value: JsonValue | undefined) => figureOf(value) !== undefined || value === "" || value === null
    return (isNew || isOld) && Object.entries(row).some(([name, value]) => !columns.has(name) && isScore(value))
  },
  open: (file) =>
    rowsLog(
      file,
      {
        tool: "ragas",
        isUniform: true,
        notes: ["the file names no model; all metrics of Ragas are read as shares of which more is better"],
      },
      (row, where, occasions) =>
        rowRecord(
          {
            input: textOf(row.user_input ?? row.question),
            references: textsOf(row.reference ?? row.ground_truth ?? row.ground_truths).filter((text) => text !== ""),
            context: passagesOf(row.retrieved_contexts ?? row.contexts),
            text: textOf(row.response ?? row.answer) ?? "",
            scores: scoresOf(row),
          },
          "Ragas",
          where,
          occasions,
        ),
    ),
}

function scoresOf(row: JsonObject): Record<string, ForeignScore> {
  const scores = Object.entries(row).flatMap(([name, value]): [string, ForeignScore][] => {
    if (columns.has(name)) return []
    const score = figureOf(value)
    if (score !== undefined) return [[name, score]]
    return value === null || value === "" || value === "nan" ? [[name, { reason: "Ragas has no score for it" }]] : []
  })
  return Object.fromEntries(scores)
}

/** A list; CSV holds it as Python prints it. What is none is one passage. */
function passagesOf(value: JsonValue | undefined): readonly string[] {
  const printed = typeof value === "string" ? pythonLiteral(value) : value
  return textsOf(Array.isArray(printed) ? printed : value).filter((text) => text !== "")
}
