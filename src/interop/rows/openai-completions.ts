import { member, textOf } from "../fields.ts"
import { type RowFormat, rowRecord, rowsLog } from "../row-format.ts"
import { callFacts } from "./call.ts"

/**
 * Stored completions of OpenAI's API: rows of `GET /v1/chat/completions`. Their questions are a list of its own in the API, and are to be added as
 * `messages`. Facts: OpenAI's API reference, "List Chat Completions" and "Get chat messages".
 */
export const openaiCompletions: RowFormat = {
  is: (row) => row.object === "chat.completion" && Array.isArray(row.choices),
  open: (file) =>
    rowsLog(file, { tool: "openai-completions", hasScores: false }, (row, where, occasions) => {
      const facts = callFacts({
        // As they are listed, or the whole page of them.
        input: member(row.messages, "data") ?? row.messages ?? row.input,
        output: row,
        start: row.created,
        end: null,
        promptTokens: member(row.usage, "prompt_tokens"),
        completionTokens: member(row.usage, "completion_tokens"),
      })
      const own = { variant: textOf(row.model), provider: "openai", unasked: unlisted }
      return rowRecord({ ...facts, ...own, scores: {} }, "OpenAI", where, occasions)
    }),
}

const unlisted = {
  field: "messages",
  reason: "a stored completion has no question: add GET /v1/chat/completions/ID/messages to each row as messages",
}
