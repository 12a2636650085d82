import type { JsonObject } from "../core/json.ts"
import type { ChatMessage } from "../core/message.ts"
import { jsonInstruction } from "../words/reasons/calls.ts"

/** The messages with the form of the answer at the end of the last user turn. Services that have a JSON mode want the word in the prompt. */
export function withForm(messages: readonly ChatMessage[], schema: JsonObject): readonly ChatMessage[] {
  const words = jsonInstruction(JSON.stringify(schema))
  const last = messages.findLastIndex(({ role }) => role === "user")
  const turn = messages[last]
  if (!turn) return [...messages, { role: "user", content: words }]
  if (!turn.parts) return messages.with(last, { ...turn, content: `${turn.content}\n\n${words}` })
  // The words come last, behind the pictures too.
  return messages.with(last, {
    ...turn,
    content: `${turn.content}\n\n${words}`,
    parts: [...turn.parts, { type: "text", text: `\n\n${words}` }],
  })
}
