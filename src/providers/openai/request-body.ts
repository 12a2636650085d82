import type { JsonObject, JsonValue } from "../../core/json.ts"
import type { GenerationParameters, ModelRequest } from "../../core/provider.ts"
import { describeMessage } from "./describe-message.ts"
import type { OpenaiOptions } from "./options.ts"

/** The body of a streamed chat completion, with all that the parameters ask for. */
export function createBody(request: ModelRequest, options: OpenaiOptions): JsonObject {
  const { parameters } = request
  const body: Record<string, JsonValue | undefined> = {
    model: options.model,
    messages: request.messages.map(describeMessage),
    temperature: parameters.temperature,
    top_p: parameters.topP,
    [options.maxTokensField ?? "max_tokens"]: parameters.maxTokens,
    stop: parameters.stop,
    [options.seedField ?? "seed"]: parameters.seed,
    reasoning_effort: parameters.effort,
    ...(parameters.topLogprobs === undefined
      ? {}
      : { logprobs: true, ...(parameters.topLogprobs > 0 ? { top_logprobs: parameters.topLogprobs } : {}) }),
    tools: parameters.tools?.map((tool) => ({ type: "function", function: { ...tool } })),
    response_format: responseFormat(parameters),
    ...options.extraBody,
    ...parameters.extra,
    stream: true,
    stream_options: options.features?.streamUsage === "unasked" ? undefined : { include_usage: true },
  }
  // Members one by one: of an object from entries, each has a shape of its own.
  const written: Record<string, JsonValue> = {}
  for (const name in body) if (body[name] !== undefined) written[name] = body[name]
  return written
}

function responseFormat({ jsonSchema, structured = "schema" }: GenerationParameters): JsonObject | undefined {
  if (!jsonSchema || structured === "prompt") return undefined
  if (structured === "json") return { type: "json_object" }
  return { type: "json_schema", json_schema: { ...jsonSchema, strict: true } }
}
