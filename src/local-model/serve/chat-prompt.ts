import type { ChatModelFunctions, Token } from "node-llama-cpp"
import { messageOf } from "../../core/errors.ts"
import { ApiError } from "./api-error.ts"
import { checkCharacters } from "./completion-work.ts"
import type { LoadedModel } from "./load-model.ts"
import type { FunctionTool } from "./tools/tool-body.ts"
import { chatHistory, type ServedMessage } from "./tools/tool-history.ts"

/** A conversation as the model reads it, and what ends its answer. */
export interface ChatPrompt {
  readonly tokens: Token[]
  readonly stopTokens: ReadonlySet<Token>
  readonly stopTexts: readonly string[]
}

/**
 * Renders messages with the model's chat template and tokenises them. Control tokens come from the template alone: a
 * message that spells out `<|end|>` is read as those characters. A template that knows no system turn gets the system
 * text at the head of the next user turn; neighbouring turns of one role are joined. Functions are told in the template's own form,
 * else as a system text. Throws 400 when the template refuses the conversation.
 *
 * @param tools functions that the model may call
 */
export function chatPrompt(
  loaded: LoadedModel,
  messages: readonly ServedMessage[],
  tools: readonly FunctionTool[] = [],
): ChatPrompt {
  const history = chatHistory(messages)
  if (history.at(-1)?.type !== "model") history.push({ type: "model", response: [] })
  try {
    const state = loaded.chatWrapper.generateContextState({
      chatHistory: history,
      ...(tools.length > 0 && { availableFunctions: functionsOf(tools), documentFunctionParams: true }),
    })
    const { tokenizer } = loaded.model
    const stopTokens = new Set<Token>()
    const stopTexts: string[] = []
    for (const trigger of state.stopGenerationTriggers) {
      const tokens = trigger.tokenize(tokenizer)
      const only = tokens.length === 1 ? tokens[0] : undefined
      if (only !== undefined && loaded.model.isSpecialToken(only)) stopTokens.add(only)
      else if (tokens.length > 0) stopTexts.push(trigger.toString())
    }
    checkCharacters(loaded, state.contextText.toString().length, "messages")
    return { tokens: state.contextText.tokenize(tokenizer), stopTokens, stopTexts }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(400, `the model's chat template refuses these messages: ${messageOf(error)}`, {
      param: "messages",
    })
  }
}

function functionsOf(tools: readonly FunctionTool[]): ChatModelFunctions {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      {
        ...(description && { description }),
        ...(parameters && { params: parameters as unknown as { type: "object" } }),
      },
    ]),
  )
}
