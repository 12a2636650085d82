import { describe, expect, it } from "vitest"
import { findRefused } from "../../../src/providers/refusals/find-refused.ts"

const all = [
  "stream_options",
  "seed",
  "response_format",
  "logprobs",
  "temperature",
  "top_p",
  "top_k",
  "frequency_penalty",
  "presence_penalty",
  "stop",
  "max_tokens",
]

// Words as services write them; where each was seen is beside it.
const refusals: readonly (readonly [status: number, message: string, expected: string | undefined, where: string])[] = [
  [400, "`temperature` is deprecated for this model.", "temperature", "Anthropic, anything-llm#6455"],
  [400, "`top_k` is deprecated for this model", "top_k", "Anthropic, quarkus-langchain4j#2692"],
  [400, "`temperature` and `top_p` cannot both be specified for this model.", "top_p", "Anthropic, opencode#28930"],
  [400, "`temperature` may only be set to 1 when thinking is enabled.", "temperature", "Anthropic, chatwise#1348"],
  [400, "Unsupported value: 'temperature' does not support 0 with this model.", "temperature", "OpenAI, llmcomp#69"],
  [
    400,
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "max_tokens",
    "OpenAI, opencode#37964",
  ],
  [400, "Unsupported parameter: 'logprobs' is not supported with this model.", "logprobs", "OpenAI, go-openai#1061"],
  [403, "You are not allowed to request logprobs from this model", "logprobs", "OpenAI"],
  [400, "logprobs are not supported with reasoning models.", "logprobs", "OpenAI Responses, vllm#23319"],
  [400, "Unsupported parameter: 'stop' is not supported with this model.", "stop", "OpenAI, smolagents#1893"],
  [400, "Logprobs is not enabled for models/gemini-2.5-flash", "logprobs", "Gemini, python-genai#1921"],
  [400, "Unknown name \"responseLogprobs\" at 'generation_config': Cannot find field.", "logprobs", "Gemini"],
  [400, "Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.", "response_format", "Gemini"],
  [400, "Function calling with a response mime type: 'application/json' is unsupported", "response_format", "Gemini"],
  [422, "unknown field: parameter 'p' is not a valid field.", "top_p", "Cohere, openrouter-examples#71"],
  [400, "the p-value of this text cannot be known", undefined, "a letter"],
  [
    400,
    'Invalid JSON payload received. Unknown name "frequency_penalty": Cannot find field.',
    "frequency_penalty",
    "Gemini, page-assist#418",
  ],
  [400, "Model grok-4 does not support parameter presencePenalty.", "presence_penalty", "xAI, NativeTavern#83"],
  [
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}',
    "seed",
    "Mistral, eca#231",
  ],
  [400, "UNKNOWN PARAMETER: STREAM_OPTIONS", "stream_options", "letters of any case"],
  [400, 'SEED is fixed here; leave "seed" out', "seed", "quoted, without a word of refusal"],
  [400, "Invalid schema for response_format 'x': 'object' is not valid.", undefined, "a wrong schema is the user's"],
  [400, "This model's maximum context length is 8192 tokens.", undefined, "the prompt is too long"],
  [400, "The prompt was filtered; please stop and seed new ideas", undefined, "everyday words"],
  [401, "Incorrect API key provided", undefined, "the key"],
  [404, "The model `m` does not exist", undefined, "the model"],
  [429, "Rate limit reached for requests with temperature", undefined, "too many"],
  [500, "temperature failed", undefined, "a fault of the server"],
  [
    400,
    "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model.",
    undefined,
    "OpenAI, openai-agents#2089",
  ],
]

describe("the parameter that a refusal is about", () => {
  it.each(refusals)("of %i %s is %s (%s)", (status, message, expected) => {
    expect(findRefused({ status, message }, all)).toBe(expected)
  })

  it("is the one that the error names apart from its message", () => {
    expect(findRefused({ status: 400, message: "Bad value", parameter: "temperature" }, all)).toBe("temperature")
    expect(findRefused({ status: 400, message: "Bad value", parameter: "generationConfig.seed" }, all)).toBe("seed")
    expect(findRefused({ status: 400, message: "Bad value", parameter: "messages" }, all)).toBeUndefined()
  })

  it("is none that the request did not hold", () => {
    expect(findRefused({ status: 400, message: "'temperature' is not supported" }, ["seed"])).toBeUndefined()
  })

  it("is none where the text is too long or filtered, whatever else is named", () => {
    const message = "max_tokens: 9000 tokens do not fit"
    expect(findRefused({ status: 400, message, code: "context_length_exceeded" }, all)).toBeUndefined()
    expect(findRefused({ status: 400, message: "temperature", code: "content_filter" }, all)).toBeUndefined()
  })
})
