import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { GenerationParameters } from "../../src/core/provider.ts"
import { llamaCppServer } from "../../src/providers/presets.ts"
import { ask, testContext } from "../support/ask.ts"
import { startRecordedLlamaServer } from "../support/recorded-llama-server.ts"

let recorded: Awaited<ReturnType<typeof startRecordedLlamaServer>>
beforeAll(async () => {
  recorded = await startRecordedLlamaServer()
})
afterAll(() => recorded.close())

const tool = {
  name: "get_weather",
  description: "weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
}

describe.each(["sdk", "undici"] as const)("llama.cpp's server, as it was recorded, by %s", (transport) => {
  async function withSession<T>(use: (session: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    const session = await open()
    try {
      return await use(session)
    } finally {
      await session.close()
    }
  }
  const open = () => llamaCppServer({ model: "tiny-m", baseUrl: recorded.baseUrl, transport }).open(testContext())
  const answer = (content: string, parameters: GenerationParameters) =>
    withSession((session) => ask(session, { content, parameters: { temperature: 0, ...parameters } }))

  it("answers with text, log-probabilities, usage, cached tokens and timings", async () => {
    const input = await answer("What is 3 plus 4?", { maxTokens: 8, topLogprobs: 2, seed: 1 })
    expect(input).toMatchObject({ outcome: "ok", text: "7", finishReason: "stop", servedModel: "tiny-m-f16.gguf" })
    // The token that ends an answer is counted, and comes without text.
    expect(input.usage).toMatchObject({ promptTokens: 11, completionTokens: 2, reasoningTokens: null })
    expect(input.usage.cachedPromptTokens).toBe((input.server as { timings: { cache_n: number } }).timings.cache_n)
    expect(input.logprobs).toMatchObject([{ token: "7", top: [{ token: "7" }, { token: "9" }] }])
    expect(input.log.events.map(({ kind }) => kind)).toEqual(["role", "content", "content", "usage", "done"])
  })

  it("stops at the longest answer", async () => {
    expect(await answer("Write about a cat", { maxTokens: 3 })).toMatchObject({ outcome: "length", text: ", cat," })
  })

  it("refuses a prompt that is too long, by its class and its name", async () => {
    const { outcome, httpStatus, failure } = await answer("word ".repeat(600), { maxTokens: 3 })
    expect([outcome, httpStatus, failure?.code]).toEqual(["http_4xx", 400, "exceed_context_size_error"])
  })

  it("lacks log-probabilities beside tools, and only there", async () => {
    await withSession(async (session) => {
      const parameters = { temperature: 0, maxTokens: 4, topLogprobs: 2, tools: [tool] }
      const withTools = await ask(session, { content: "Rome?", parameters })
      expect([withTools.outcome, withTools.logprobs]).toEqual(["length", null])
      const question = { temperature: 0, maxTokens: 8, topLogprobs: 2, seed: 1 }
      expect((await ask(session, { content: "What is 3 plus 4?", parameters: question })).logprobs).toHaveLength(1)
      expect(session.notes?.()).toEqual([
        "logprobs: refused by the endpoint together with tools; figures from token probabilities are unknown",
      ])
    })
  })

  it("states its context window", async () => {
    const window = withSession(async (session) => session.contextWindow?.(new AbortController().signal))
    expect(await window).toBe(512)
  })
})
