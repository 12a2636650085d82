import { describe, expect, it } from "vitest"
import { findContextWindow } from "../../src/cost/price-book.ts"
import { openai } from "../../src/providers/openai.ts"
import { testContext } from "../support/ask.ts"
import { serveLoopback } from "../support/loopback.ts"

let status = 200
let body: unknown
const server = await serveLoopback((_request, response) => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
})

async function windowOf(answer: unknown, answerStatus = 200) {
  status = answerStatus
  body = answer
  const baseUrl = server.url
  const session = await openai({ model: "m", baseUrl, apiKeyVariable: null }).open(testContext())
  try {
    return await session.contextWindow?.(new AbortController().signal)
  } finally {
    await session.close()
  }
}

const list = (...rows: readonly object[]) => ({ object: "list", data: rows })

describe("the context window that an endpoint states", () => {
  it.each([
    ["vLLM", list({ id: "other", max_model_len: 1 }, { id: "m", max_model_len: 32_768 }), 32_768],
    ["llama.cpp and evalkit serve", list({ id: "file.gguf", meta: { n_ctx: 512, n_ctx_train: 4096 } }), 512],
    ["an older llama.cpp", list({ id: "m", meta: { n_ctx_train: 4096 } }), 4096],
    ["OpenRouter and Fireworks", list({ id: "m", context_length: 131_072 }), 131_072],
    ["Together, a bare list", [{ id: "m", context_length: 8192 }], 8192],
    ["Groq", list({ id: "m", context_window: 131_072 }), 131_072],
    ["Mistral", list({ id: "m", max_context_length: 128_000 }), 128_000],
  ])("is read as %s states it", async (_, answer, tokens) => {
    expect(await windowOf(answer)).toBe(tokens)
  })

  it("is unknown where none is stated, where the model is not listed and where nobody answers sensibly", async () => {
    expect(await windowOf(list({ id: "m", object: "model" }))).toBeNull()
    expect(await windowOf(list({ id: "a", context_length: 1 }, { id: "b", context_length: 2 }))).toBeNull()
    expect(await windowOf({ error: "no" }, 401)).toBeNull()
    expect(await windowOf("<html>")).toBeNull()
    expect(await windowOf(list({ id: "m", context_length: "many" }))).toBeNull()
  })

  it("comes from the price book for providers that state none", () => {
    expect(findContextWindow("api.openai.com", "gpt-4.1-mini")?.tokens).toBe(1_047_576)
    expect(findContextWindow("openai", "gpt-next")).toBeNull()
  })
})
