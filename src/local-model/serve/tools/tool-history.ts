import type { ChatHistoryItem, ChatModelFunctionCall, ChatModelResponse } from "node-llama-cpp"
import { jsonValue } from "../../../core/json-members.ts"
import { ApiError } from "../api-error.ts"

/** One turn as the server understands it. */
export type ServedMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
      readonly role: "assistant"
      readonly content: string
      readonly tool_calls?: readonly ServedCall[] | null | undefined
    }
  | { readonly role: "tool"; readonly content: string; readonly tool_call_id: string }

/** A call of a function that an assistant's turn made. */
export interface ServedCall {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}

/**
 * Messages as the binding's chat history: calls stand in the turn that made them, each with its result. Throws 400 for a result without
 * its call, and for a call that has no result when the conversation goes on.
 */
export function chatHistory(messages: readonly ServedMessage[]): ChatHistoryItem[] {
  const history: ChatHistoryItem[] = []
  let open = new Map<string, ChatModelFunctionCall>()
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      const call = open.get(message.tool_call_id)
      if (!call) throw fault(at, `it answers no call of the turn before it: ${message.tool_call_id.slice(0, 80)}`)
      call.result = message.content
      open.delete(message.tool_call_id)
      continue
    }
    refuseOpen(open, at)
    if (message.role !== "assistant") {
      history.push({ type: message.role, text: message.content })
      continue
    }
    const calls = (message.tool_calls ?? []).map((call, i): readonly [string, ChatModelFunctionCall] => [
      call.id,
      {
        type: "functionCall",
        name: call.function.name,
        // Arguments that are no JSON are shown to the model as the text that they are.
        params: jsonValue(call.function.arguments, call.function.arguments),
        result: undefined,
        startsNewChunk: i === 0,
      },
    ])
    open = new Map(calls)
    const response: ChatModelResponse["response"] = [
      ...(message.content === "" && calls.length > 0 ? [] : [message.content]),
      ...calls.map(([, call]) => call),
    ]
    // What follows the results of its calls is the same turn of the model.
    const last = history.at(-1)
    if (last?.type === "model" && messages[at - 1]?.role === "tool") last.response.push(...response)
    else history.push({ type: "model", response })
  }
  refuseOpen(open, messages.length - 1)
  return history
}

function refuseOpen(open: ReadonlyMap<string, unknown>, at: number): void {
  const [id] = open.keys()
  if (id !== undefined)
    throw fault(at, `the call ${id.slice(0, 80)} has no result: a message of the role tool must follow it`)
}

function fault(at: number, message: string): ApiError {
  return new ApiError(400, `messages[${at}]: ${message}`, { param: `messages[${at}]`, code: "invalid_value" })
}
