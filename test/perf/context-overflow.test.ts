import { describe, expect, it } from "vitest"
import { isContextOverflow } from "../../src/perf/context-overflow.ts"

describe("a request that does not fit into the context window", () => {
  it.each([
    ["OpenAI and vLLM", "This model's maximum context length is 4096 tokens. However, you requested 4200 tokens"],
    ["Mistral", "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    ["llama.cpp", "the request exceeds the available context size, try increasing it"],
    ["newer llama.cpp", "request (900 tokens) exceeds the available context size (512 tokens), try increasing it"],
    ["Anthropic", "prompt is too long: 201234 tokens > 200000 maximum"],
    ["Bedrock", "Input is too long for requested model."],
    ["Gemini", "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576)."],
    ["TGI", "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096"],
    ["evalkit serve", "this model's maximum context length is 512 tokens; the prompt has 900"],
  ])("is known by the words of %s", (_, message) => {
    expect(isContextOverflow({ message: `HTTP 400: ${message}` })).toBe(true)
  })

  it("is known by its code, whatever the words", () => {
    expect(isContextOverflow({ message: "HTTP 400: no", code: "context_length_exceeded" })).toBe(true)
    expect(isContextOverflow({ message: "HTTP 400: no", code: "exceed_context_size_error" })).toBe(true)
  })

  it.each([
    "HTTP 400: max_tokens is too large: 99999. This model supports at most 16384 completion tokens",
    "HTTP 400: the prompt is empty",
    "HTTP 429: rate limit: tokens per minute exceeded",
    "HTTP 413: Request Entity Too Large",
    "context deadline exceeded",
  ])("is not taken for another failure: %s", (message) => {
    expect(isContextOverflow({ message })).toBe(false)
  })

  it("is none where nothing failed", () => {
    expect(isContextOverflow(null)).toBe(false)
  })
})
