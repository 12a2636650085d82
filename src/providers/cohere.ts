import { UsageError } from "../core/errors.ts"
import type { JsonObject } from "../core/json.ts"
import type { ChatMessage } from "../core/message.ts"
import { checkOptions } from "../core/options.ts"
import type { ModelRequest, Provider } from "../core/provider.ts"
import { ownModule } from "../platform/own-module.ts"
import type { CohereOptions } from "./cohere/options.ts"
import { readCohere } from "./cohere/read.ts"
import { mergeBodies } from "./dialect/body.ts"
import { defaultImages } from "./dialect/media.ts"
import { dialectProvider } from "./dialect/provider.ts"
import { describeMessage } from "./openai/describe-message.ts"

/**
 * Command models through Cohere's own chat (v2), always streamed: thinking and plans, tools, JSON schemas, log-probabilities of the
 * chosen tokens, and the units that are billed. The service states no cached and no thinking tokens, and not which model served.
 *
 * @throws UsageError for a base URL or a kind of thinking that is none, and at `open` when the key's variable is not set
 * @example cohere({ model: "command-a-03-2025" })
 * @public
 */
export function cohere(options: CohereOptions): Provider {
  checkOptions("cohere", options)
  const { thinking = null } = options
  checkThinking(thinking)
  return dialectProvider(options, {
    kind: "cohere",
    interface: "chat-v2",
    baseUrl: "https://api.cohere.com",
    path: "/v2/chat",
    apiKeyVariable: "COHERE_API_KEY",
    headers: (key) => ({ ...(key !== null && { authorization: `Bearer ${key}` }) }),
    choices: { thinking },
    write: (request) => writeCohere(request, options),
    read: readCohere,
    reader: { module: ownModule(import.meta.url, "./cohere/read"), name: "readCohere" },
    // It has no other name.
    kept: ["max_tokens"],
    enforcesJson: true,
    // docs.cohere.com/docs/image-inputs (2026)
    media: { images: { types: defaultImages, urls: true, most: 20, maxBytes: 20e6 }, maxTotalBytes: 20e6 },
  })
}

/** @throws UsageError for what the interface has no word for */
function checkThinking(thinking: unknown): void {
  if (typeof thinking !== "number" || (Number.isInteger(thinking) && thinking > 0)) return
  throw new UsageError("thinking is off, on, or a whole number of tokens above 0", {
    where: `cohere({ thinking: ${JSON.stringify(thinking)} })`,
  })
}

/** The body of a streamed v2 chat. What was not asked for is left out. */
function writeCohere({ messages, parameters }: ModelRequest, options: CohereOptions): JsonObject {
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
