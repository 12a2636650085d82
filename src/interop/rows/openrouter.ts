import { figureOf, textOf } from "../fields.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"
import { durations } from "./helicone.ts"

/**
 * The activity of OpenRouter as CSV, a generation a row: figures without questions and answers, for an inventory. Facts: openrouter.ai, "Generation
 * data"; the columns of an export that somebody lists in public.
 */
export const openrouter: RowFormat = {
  is: (row) => "generation_id" in row && "model_permaslug" in row,
  open: (file) =>
    rowsLog(file, { tool: "openrouter", hasScores: false }, (row, where, occasions) => {
      const finish = textOf(row.finish_reason_normalized) || null
      const facts = callFacts({
        input: null,
        output: null,
        start: row.created_at,
        end: null,
        promptTokens: row.tokens_prompt,
        completionTokens: row.tokens_completion,
        cost: row.cost_total,
        error: finish === "error" ? "the generation ended with an error" : null,
      })
      const own = {
        variant: textOf(row.model_permaslug),
        finishReason: finish,
        unasked,
        ...durations(figureOf(row.generation_time_ms), figureOf(row.time_to_first_token_ms)),
      }
      return rowRecord({ ...facts, ...own, scores: {} }, "OpenRouter", where, occasions)
    }),
}

const unasked = {
  field: null,
  reason: "the activity of OpenRouter holds no questions: evalkit inventory reads its figures",
}
