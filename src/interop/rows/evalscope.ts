import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import { type RowFacts, type RowFormat, rowRecord, rowsLog } from "../row-format.ts"

/** Reviews of EvalScope (`reviews/MODEL/DATASET_SUBSET.jsonl`), of version 1 (`sample_score`) or before (a review in each choice). */
export const evalscope: RowFormat = {
  is: (row) =>
    objectOf(member(row.sample_score, "score")) !== undefined ||
    listOf(row.choices).some((choice) => objectOf(member(choice, "review")) !== undefined),
  open: (file) =>
    rowsLog(file, { tool: "evalscope", isUniform: true }, (row, where, occasions) =>
      rowRecord("sample_score" in row ? factsOf(row) : olderFacts(row), "EvalScope", where, occasions),
    ),
}

function factsOf(row: JsonObject): RowFacts {
  const score = member(row.sample_score, "score")
  return {
    input: textOf(row.input) ?? (Array.isArray(row.input) ? JSON.stringify(row.input) : undefined),
    references: textsOf(row.target),
    text: textOf(member(score, "prediction")) ?? "",
    metadata: { extracted: member(score, "extracted_prediction") ?? null },
    scores: scoresOf(member(score, "value")),
  }
}

function olderFacts(row: JsonObject): RowFacts {
  const [choice] = listOf(row.choices)
  const raw = row.raw_input
  return {
    variant: textOf(member(row.model_spec, "model_id")) ?? textOf(row.model),
    input: textOf(member(raw, "question")) ?? (raw === undefined ? textOf(row.index) : JSON.stringify(raw)),
    references: textsOf(member(choice, "review", "gold")),
    text: textOf(member(choice, "message", "content")) ?? "",
    scores: scoresOf(member(choice, "review", "result")),
  }
}

/** A number, or one for each metric. */
function scoresOf(value: JsonValue | undefined): Record<string, ForeignScore> {
  const all = objectOf(value) ?? { score: value ?? null }
  const scores = Object.entries(all).map(([name, one]): [string, ForeignScore] => [
    name,
    numberOf(one) ?? { reason: "EvalScope has no number for it" },
  ])
  return Object.fromEntries(scores)
}
