import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonValue } from "../../core/json.ts"
import { figureOf, member, objectOf, textOf } from "../fields.ts"
import { unwrapped } from "../otlp/messages.ts"
import { firstRow } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Events of an experiment or of the logs of Braintrust, of which the first span of each trace is read. Facts: Braintrust's API, "Fetch experiment"
 * (events with input, output, expected, scores, metrics in seconds).
 */
export const braintrust: RowFormat = {
  is: (row) => "root_span_id" in row && "span_id" in row && "input" in row,
  open: async (file) => {
    const isUniform = textOf((await firstRow(file)).experiment_id) !== undefined
    return rowsLog(file, { tool: "braintrust", isUniform, hasScores: false }, (row, where, occasions) => {
      if (row.is_root === false || row.span_id !== row.root_span_id) return []
      const metrics = unwrapped(row.metrics)
      const start = figureOf(member(metrics, "start"))
      const first = figureOf(member(metrics, "time_to_first_token"))
      const facts = callFacts({
        ...{ input: row.input, output: row.output, end: member(metrics, "end"), error: row.error },
        start,
        firstToken: start === undefined || first === undefined ? null : start + first,
        promptTokens: member(metrics, "prompt_tokens"),
        completionTokens: member(metrics, "completion_tokens"),
        cost: member(metrics, "estimated_cost"),
      })
      const expected = callFacts({ input: null, output: row.expected, start: null, end: null }).text
      const variant = textOf(member(unwrapped(row.metadata), "model"))
      return rowRecord(
        { ...facts, variant, references: expected === "" ? [] : [expected], scores: scoresOf(unwrapped(row.scores)) },
        "Braintrust",
        where,
        occasions,
      )
    })
  },
}

function scoresOf(scores: JsonValue | undefined): Record<string, ForeignScore> {
  const named = Object.entries(objectOf(scores) ?? {}).map(([name, value]): [string, ForeignScore] => [
    name,
    figureOf(value) ?? { reason: "Braintrust has no score for it" },
  ])
  return Object.fromEntries(named)
}
