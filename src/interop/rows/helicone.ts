import type { JsonObject } from "../../core/json.ts"
import { figureOf, member, textOf } from "../fields.ts"
import { unwrapped } from "../otlp/messages.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Requests of Helicone: rows of `POST /v1/request/query-clickhouse`, which its export tool writes as lines, JSON or CSV. Questions and answers are in
 * them with `--include-body`. Facts: docs.helicone.ai, schema HeliconeRequest; examples/export/typescript of its repository.
 */
export const helicone: RowFormat = {
  is: (row) => "response_status" in row && "request_created_at" in row,
  open: (file) =>
    rowsLog(file, { tool: "helicone", hasScores: false }, (row, where, occasions) => {
      const [request, response] = [unwrapped(row.request_body), unwrapped(row.response_body)]
      const status = figureOf(row.response_status) ?? 0
      const facts = callFacts({
        input: member(request, "messages") ?? member(request, "prompt") ?? member(request, "input"),
        output: response,
        start: row.request_created_at,
        end: null,
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        cost: row.costUSD,
        error: status >= 200 && status < 300 ? null : (member(response, "error") ?? `HTTP ${status}`),
      })
      const own = {
        variant: modelOf(row),
        unasked,
        provider: textOf(row.provider)?.toLowerCase(),
        ...durations(figureOf(row.delay_ms), figureOf(row.time_to_first_token)),
      }
      return rowRecord({ ...facts, ...own, scores: {} }, "Helicone", where, occasions)
    }),
}

function modelOf(row: JsonObject): string | undefined {
  const named = row.model || row.response_model || row.request_model || member(unwrapped(row.request_body), "model")
  return textOf(named) || undefined
}

/** Milliseconds as a gateway states them; a first token at 0, or at the end, was not streamed. */
export function durations(e2eMs: number | undefined, ttftMs: number | undefined) {
  if (e2eMs === undefined || e2eMs <= 0) return {}
  return { e2eMs, ...(ttftMs !== undefined && ttftMs > 0 && ttftMs < e2eMs && { ttftMs }) }
}

const unasked = {
  field: "request_body",
  reason: "the row holds no question: export with --include-body",
}
