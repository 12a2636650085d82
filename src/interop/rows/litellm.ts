import type { JsonValue } from "../../core/json.ts"
import { outcomes } from "../../core/outcome.ts"
import { member, objectOf, textOf } from "../fields.ts"
import { unwrapped } from "../otlp/messages.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Calls that LiteLLM logged: the payload of its callbacks (`standard_logging_object`), a line each, and rows of its spend logs, as lines, JSON
 * or CSV; embeddings, pictures, recordings and rankings are none. Facts: docs.litellm.ai, "StandardLoggingPayload Specification", and the table LiteLLM_SpendLogs.
 */
export const litellm: RowFormat = {
  is: (row) => isCall(row) || isCall(objectOf(row.standard_logging_object) ?? {}),
  open: (file) =>
    rowsLog(file, { tool: "litellm", hasScores: false }, (row, where, occasions) => {
      const call = objectOf(row.standard_logging_object) ?? row
      if (!/completion|response|message|generate|pass_through/.test(textOf(call.call_type) ?? "")) return []
      const metadata = unwrapped(call.metadata)
      const status = textOf(call.status) ?? textOf(member(metadata, "status"))
      const isCached = /^true$/i.test(textOf(call.cache_hit) ?? "")
      const facts = callFacts({
        input: call.messages,
        output: call.response,
        // What came from a cache has a moment and no duration.
        start: call.startTime,
        end: isCached ? null : call.endTime,
        firstToken: call.completionStartTime,
        promptTokens: call.prompt_tokens,
        completionTokens: call.completion_tokens,
        cost: call.response_cost ?? call.spend,
        error: status === "failure" ? (call.error_str ?? "the call failed") : null,
      })
      const variant = textOf(call.model_group) || textOf(call.model) || undefined
      const own = { variant, provider: textOf(call.custom_llm_provider) || undefined, unasked: unstored, isCached }
      // LiteLLM's spend logs give each call a session; a trace beside it says that the session is more than this call.
      const session = textOf(call.trace_id) === undefined ? undefined : textOf(call.session_id)
      const ended = failureOf(call.error_information, facts.failed)
      return rowRecord({ ...facts, ...own, ...ended, cluster: session, scores: {} }, "LiteLLM", where, occasions)
    }),
}

/** How a call failed, where evalkit wrote it down; LiteLLM names a class of Python's. */
function failureOf(error: JsonValue | undefined, message = "") {
  const outcome = outcomes.find((name) => name === textOf(member(error, "error_class")))
  return outcome && { outcome, failure: { message: message.slice(0, 2000) } }
}

const unstored = {
  field: "messages",
  reason: "the row holds no messages: spend logs hold them with store_prompts_in_spend_logs: true",
}

function isCall(row: Parameters<RowFormat["is"]>[0]): boolean {
  return "call_type" in row && "startTime" in row && ("spend" in row || "response_cost" in row)
}
