import type { ChatHistoryItem, Token } from "node-llama-cpp"
import { messageOf } from "../../core/errors.ts"
import { ApiError } from "./api-error.ts"
import type { LoadedModel } from "./load-model.ts"

/** One turn as the server understands it. */
export interface ServedMessage {
  readonly role: "system" | "user" | "assistant"
  readonly content: string
}

/** A conversation as the model reads it, and what ends its answer. */
export interface ChatPrompt {
  readonly tokens: Token[]
  readonly stopTokens: ReadonlySet<Token>
  readonly stopTexts: readonly string[]
}

/**
 * Renders messages with the model's chat template and tokenises them. Control tokens come from the template alone: a
 * message that spells out `<|end|>` is read as those characters. A template that knows no system turn gets the system
 * text at the head of the next user turn; neighbouring turns of one role are joined. Throws 400 when the template
 * refuses the conversation.
 */
export function chatPrompt(loaded: LoadedModel, messages: readonly ServedMessage[]): ChatPrompt {
  const history: ChatHistoryItem[] = messages.map((message) =>
    message.role === "assistant"
      ? { type: "model", response: [message.content] }
      : { type: message.role, text: message.content },
  )
  if (messages.at(-1)?.role !== "assistant") history.push({ type: "model", response: [] })
  try {
    const state = loaded.chatWrapper.generateContextState({ chatHistory: history })
    const { tokenizer } = loaded.model
    const stopTokens = new Set<Token>()
    const stopTexts: string[] = []
    for (const trigger of state.stopGenerationTriggers) {
      const tokens = trigger.tokenize(tokenizer)
      const only = tokens.length === 1 ? tokens[0] : undefined
      if (only !== undefined && loaded.model.isSpecialToken(only)) stopTokens.add(only)
      else if (tokens.length > 0) stopTexts.push(trigger.toString())
    }
    return { tokens: state.contextText.tokenize(tokenizer), stopTokens, stopTexts }
  } catch (error) {
    throw new ApiError(400, `the model's chat template refuses these messages: ${messageOf(error)}`, {
      param: "messages",
    })
  }
}
