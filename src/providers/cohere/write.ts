import type { JsonObject } from "../../core/json.ts"
import type { ChatMessage } from "../../core/message.ts"
import type { ModelRequest } from "../../core/provider.ts"
import { mergeBodies } from "../dialect/body.ts"
import { describeMessage } from "../openai/describe-message.ts"
import type { CohereOptions } from "./options.ts"

/** The body of a streamed v2 chat. What was not asked for is left out. */
export function writeCohere({ messages, parameters }: ModelRequest, options: CohereOptions): JsonObject {
  const { tools = [], jsonSchema, structured = "schema" } = parameters
  const body = {
    model: options.model,
    messages: messages.map(turnOf),
    temperature: parameters.temperature,
    p: parameters.topP,
    max_tokens: parameters.maxTokens,
    stop_sequences: parameters.stop,
    seed: parameters.seed,
    // Of the chosen tokens only: the interface has no alternatives.
    logprobs: parameters.topLogprobs === undefined ? undefined : true,
    tools: tools.length > 0 ? tools.map((tool) => ({ type: "function", function: { ...tool } })) : undefined,
    response_format:
      jsonSchema && structured !== "prompt"
        ? { type: "json_object", ...(structured === "schema" && { json_schema: jsonSchema.schema }) }
        : undefined,
    thinking: thinkingOf(options.thinking),
  }
  return mergeBodies(body, options.extraBody, parameters.extra, { stream: true })
}

/** As chat completions have it, but a turn of calls has no empty text. */
function turnOf(message: ChatMessage): JsonObject {
  const { content = "", ...rest } = describeMessage(message)
  return content === "" && rest.tool_calls ? rest : { ...rest, content }
}

function thinkingOf(thinking: CohereOptions["thinking"]): JsonObject | undefined {
  if (thinking === undefined) return undefined
  if (thinking === "off") return { type: "disabled" }
  return { type: "enabled", ...(thinking !== "on" && { token_budget: thinking }) }
}
