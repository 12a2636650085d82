import type { ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonValue } from "../../core/json.ts"
import { figureOf, member, objectOf, textOf } from "../fields.ts"
import { unwrapped } from "../otlp/messages.ts"
import { firstRow, type RowFile } from "../row-file.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Events of an experiment or of the logs of Braintrust, of which the first span of each trace is read, with model, tokens and cost of the calls
 * within it. Facts: Braintrust's API, "Fetch experiment"
 * (events with input, output, expected, scores, metrics in seconds).
 */
export const braintrust: RowFormat = {
  is: (row) => "root_span_id" in row && "span_id" in row && "input" in row,
  open: async (file) => {
    const isUniform = textOf((await firstRow(file)).experiment_id) !== undefined
    const calls = await callsOf(file)
    return rowsLog(file, { tool: "braintrust", isUniform, hasScores: false }, (row, where, occasions) => {
      if (row.is_root === false || row.span_id !== row.root_span_id) return []
      const metrics = unwrapped(row.metrics)
      const within = calls.get(textOf(row.root_span_id) ?? "")
      const start = figureOf(member(metrics, "start"))
      const first = figureOf(member(metrics, "time_to_first_token"))
      const facts = callFacts({
        input: row.input,
        output: row.output,
        end: member(metrics, "end"),
        error: row.error,
        start,
        firstToken: start === undefined || first === undefined ? null : start + first,
        promptTokens: member(metrics, "prompt_tokens") ?? within?.prompt_tokens,
        completionTokens: member(metrics, "completion_tokens") ?? within?.completion_tokens,
        cost: member(metrics, "estimated_cost") ?? within?.estimated_cost,
      })
      const expected = callFacts({ input: null, output: row.expected, start: null, end: null }).text
      const variant = textOf(member(unwrapped(row.metadata), "model")) ?? within?.model
      return rowRecord(
        { ...facts, variant, references: expected === "" ? [] : [expected], scores: scoresOf(unwrapped(row.scores)) },
        "Braintrust",
        where,
        occasions,
      )
    })
  },
}

/** What spans of models within a trace state together, where the first span of it states nothing. */
interface Calls {
  model?: string | undefined
  prompt_tokens?: number
  completion_tokens?: number
  estimated_cost?: number
}

/** Memory: a few numbers for each trace. */
async function callsOf(file: RowFile): Promise<ReadonlyMap<string, Calls>> {
  const calls = new Map<string, Calls>()
  for await (const read of file.rows()) {
    if (!("row" in read) || member(unwrapped(read.row.span_attributes), "type") !== "llm") continue
    const trace = textOf(read.row.root_span_id) ?? ""
    const sum = calls.get(trace) ?? {}
    calls.set(trace, sum)
    sum.model ??= textOf(member(unwrapped(read.row.metadata), "model"))
    for (const name of ["prompt_tokens", "completion_tokens", "estimated_cost"] as const) {
      const value = figureOf(member(unwrapped(read.row.metrics), name))
      if (value !== undefined) sum[name] = (sum[name] ?? 0) + value
    }
  }
  return calls
}

function scoresOf(scores: JsonValue | undefined): Record<string, ForeignScore> {
  const named = Object.entries(objectOf(scores) ?? {}).map(([name, value]): [string, ForeignScore] => [
    name,
    figureOf(value) ?? { reason: "Braintrust has no score for it" },
  ])
  return Object.fromEntries(named)
}
