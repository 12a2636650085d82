import { createOpenAI } from "@ai-sdk/openai"
import { wrapLanguageModel } from "ai"
import { afterEach, describe, expect, it } from "vitest"
import { systemClock } from "../../../src/core/clock.ts"
import type { Answer } from "../../../src/core/generation.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import type { ChatMessage } from "../../../src/core/message.ts"
import type { GenerationParameters, RequestOptions } from "../../../src/core/provider.ts"
import type { AiSdkModel } from "../../../src/providers/ai-sdk/types.ts"
import { fromAiSdk } from "../../../src/providers/ai-sdk.ts"
import { testContext, testTimeouts } from "../../support/ask.ts"
import { startChatService } from "../../support/mocks/chat-service.ts"
import { type MockReply, startMock } from "../../support/mocks/frame.ts"
import { openai } from "../../support/mocks/services/openai.ts"

const key = "sk-ai-sdk-key-0123456789"
const opened: { close(): Promise<void> }[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((entry) => entry.close()))))

async function modelOver(reply: MockReply | ((body: unknown) => MockReply), name = "m") {
  const mock = await startMock(({ body }) => (typeof reply === "function" ? reply(body) : reply))
  opened.push(mock)
  return { mock, model: createOpenAI({ baseURL: `${mock.baseUrl}/v1`, apiKey: key }).chat(name) }
}

async function askModel(
  model: AiSdkModel,
  input: {
    messages?: readonly ChatMessage[]
    parameters?: GenerationParameters
    options?: Partial<RequestOptions>
  } = {},
): Promise<{ readonly answer: Answer; readonly notes: readonly string[] }> {
  const { messages = [{ role: "user", content: "Capital of France?" }], parameters = {} } = input
  const session = await fromAiSdk(model).open(testContext())
  const now = systemClock.now()
  const moment = {
    clock: systemClock,
    originMs: now,
    scheduledMs: now,
    timeouts: testTimeouts,
    signal: new AbortController().signal,
  }
  const answer = await session.request({ messages, parameters }, { ...moment, ...input.options })
  return { answer, notes: session.notes(parameters) }
}

const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "served", choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`

describe("a model of the Vercel AI SDK", () => {
  it("answers with text, usage in classes, finish reason, served model, and stamps of its iterator", async () => {
    const mock = await startChatService(openai, key)
    opened.push(mock)
    const sdk = createOpenAI({ baseURL: `${mock.baseUrl}/v1`, apiKey: key })
    const { answer, notes } = await askModel(sdk.chat("gpt-4.1-mini"), {
      parameters: { temperature: 0, maxTokens: 50, stop: ["END"], seed: 3 },
    })
    const [billed] = mock.billed
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "Paris",
      finishReason: "stop",
      servedModel: "gpt-4.1-mini",
      usage: {
        promptTokens: billed?.prompt,
        cachedPromptTokens: billed?.cached,
        completionTokens: 2,
        reasoningTokens: 0,
      },
      log: { connectMs: null, headersMs: null },
      server: { transport: "ai-sdk", stamps: expect.stringContaining("not known") },
    })
    expect(answer.log.events.filter(({ kind }) => kind === "content").map(({ bytes }) => bytes)).toEqual([3, 2])
    const stamps = [answer.log.sendMs, ...answer.log.events.map(({ atMs }) => atMs), answer.log.endMs]
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b))
    expect(mock.bodies[0]).toMatchObject({ temperature: 0, max_tokens: 50, stop: ["END"], seed: 3 })
    expect(notes[0]).toContain("connection, headers and bytes on the wire are not known")
  })

  it.each([
    [{ error: { message: "slow down, try again in 2s", code: 429 } }, "rate_limited", "slow down, try again in 2s"],
    [{ error: { message: "KV cache is full", code: 500 } }, "stream_error", "KV cache is full"],
    [{ object: "error", message: "KV cache is full", code: 500 }, "stream_error", "KV cache is full"],
    [{ error: "KV cache is full" }, "stream_error", "KV cache is full"],
    [{ message: "KV cache is full", code: 50_001 }, "stream_error", "KV cache is full"],
  ])("says in the service's words what went wrong inside its stream: %j", async (error, outcome, message) => {
    const { model } = await modelOver({ events: [chunk({ content: "Par" }), `data: ${JSON.stringify(error)}\n\n`] })
    const { answer } = await askModel(model)
    expect(answer).toMatchObject({ outcome, text: "Par", failure: { message } })
    expect(answer.retryAfterMs).toBe(outcome === "rate_limited" ? 2000 : null)
  })

  it("gives the thinking of a reasoning model, and says which settings its package left out", async () => {
    const mock = await startChatService(openai, key)
    opened.push(mock)
    const sdk = createOpenAI({ baseURL: `${mock.baseUrl}/v1`, apiKey: key })
    const { answer, notes } = await askModel(sdk.chat("gpt-5.4-mini"), {
      parameters: { temperature: 0.5, effort: "low", topLogprobs: 2, extra: { openai: { reasoningEffort: "low" } } },
    })
    expect(answer).toMatchObject({ outcome: "ok", usage: { reasoningTokens: 64, completionTokens: 66 } })
    expect(mock.bodies[0]).toMatchObject({ reasoning_effort: "low" })
    expect(notes.join("\n")).toMatch(/temperature/)
    expect(notes.join("\n")).toMatch(/effort: not sent[\s\S]*logprobs: not asked for/)
  })

  it("sends calls of tools and their results, and reads calls that are streamed", async () => {
    const { mock, model } = await modelOver({
      events: [
        chunk({
          role: "assistant",
          tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "search", arguments: "" } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"q":' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '"x"}' } }] }),
        chunk({}, { finish_reason: "tool_calls" }),
        "data: [DONE]\n\n",
      ],
    })
    const { answer } = await askModel(model, {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Find it." },
        { role: "assistant", content: "", toolCalls: [{ name: "search", arguments: { q: "y" }, id: "call_0" }] },
        { role: "tool", content: "nothing", toolCallId: "call_0" },
      ],
      parameters: {
        tools: [
          {
            name: "search",
            description: "Finds",
            parameters: { type: "object", properties: { q: { type: "string" } } },
          },
        ],
      },
    })
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "",
      finishReason: "tool_calls",
      toolCalls: [{ name: "search", arguments: { q: "x" }, id: "call_1" }],
    })
    expect(answer.log.events.some(({ kind }) => kind === "tool")).toBe(true)
    expect(mock.bodies[0]).toMatchObject({
      tools: [{ type: "function", function: { name: "search", description: "Finds" } }],
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Find it." },
        { role: "assistant", tool_calls: [{ id: "call_0", function: { name: "search", arguments: '{"q":"y"}' } }] },
        { role: "tool", tool_call_id: "call_0", content: "nothing" },
      ],
    })
  })

  it("sends pictures", async () => {
    const { mock, model } = await modelOver({
      events: [chunk({ content: "A cat." }), chunk({}, { finish_reason: "stop" }), "data: [DONE]\n\n"],
    })
    const data = Uint8Array.from([1, 2, 3])
    const parts = [
      { type: "text", text: "What?" },
      { type: "image", mediaType: "image/png", width: 1, height: 1, sha256: "0", bytes: 3, data },
      { type: "image_url", url: "https://example.org/cat.png" },
    ] as const
    await askModel(model, { messages: [{ role: "user", content: "What?", parts }] })
    expect(mock.bodies[0]?.messages).toMatchObject([
      {
        content: [
          { type: "text", text: "What?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
          { type: "image_url", image_url: { url: "https://example.org/cat.png" } },
        ],
      },
    ])
  })

  it.each([
    [429, { "retry-after": "2" }, { outcome: "rate_limited", httpStatus: 429, retryAfterMs: 2000 }],
    [500, {}, { outcome: "http_5xx", httpStatus: 500 }],
    [401, {}, { outcome: "http_4xx", httpStatus: 401 }],
  ] as const)("puts HTTP %i into its class, without a key in the message", async (status, headers, expected) => {
    const { mock, model } = await modelOver({ status, headers, body: { error: { message: `no: ${key}`, type: "x" } } })
    const { answer } = await askModel(model)
    expect(answer).toMatchObject(expected)
    expect(answer.failure?.message).toContain("no:")
    expect(mock.bodies).toHaveLength(1)
  })

  it.each([
    ["a stream without an end", [chunk({ content: "Par" })], "truncated"],
    ["an answer that reached its limit", [chunk({ content: "Par" }), chunk({}, { finish_reason: "length" })], "length"],
    ["a filtered answer", [chunk({}, { finish_reason: "content_filter" })], "refused"],
    ["an aborted answer", [chunk({ content: "Par" }), chunk({}, { finish_reason: "abort" })], "stream_error"],
    ["an empty answer", [chunk({}, { finish_reason: "stop" })], "empty"],
    [
      "an error in the stream",
      [chunk({ content: "Par" }), 'data: {"error":{"message":"overloaded"}}\n\n'],
      "stream_error",
    ],
    ["bytes that are no JSON", ["data: {oops\n\n"], "malformed"],
  ] as const)("tells %s", async (name, events, outcome) => {
    const { model } = await modelOver({ events: [...events] })
    const { answer } = await askModel(model)
    expect(answer.outcome, `${name}: ${JSON.stringify(answer.failure)}`).toBe(outcome)
  })

  it.each<JsonObject>([{ message: "slow; try again in 5.17s" }, { message: "slow", retry_after: 5.17 }])(
    "waits as long as a body asks: %j",
    async (error) => {
      const { model } = await modelOver({ status: 429, body: { error } })
      expect((await askModel(model)).answer).toMatchObject({ outcome: "rate_limited", retryAfterMs: 5170 })
    },
  )

  it("takes counts of a cache that is larger than the prompt for none", async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 800 } }
    const end = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage })}\n\n`
    const { model } = await modelOver({
      events: [chunk({ content: "Paris" }), chunk({}, { finish_reason: "stop" }), end],
    })
    expect((await askModel(model)).answer).toMatchObject({
      ...{ outcome: "ok", usage: { promptTokens: null, cachedPromptTokens: null, completionTokens: 3 } },
      server: { unusableUsage: ["prompt tokens"] },
    })
  })

  it("ends within the limits and when the run is interrupted, whatever the server does", async () => {
    const { createServer } = await import("node:http")
    const silent = createServer(
      (_, response) =>
        void response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk({ role: "assistant" })),
    )
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    opened.push({
      close: () =>
        new Promise((resolve) => {
          silent.close(() => resolve())
          silent.closeAllConnections()
        }),
    })
    const { port } = silent.address() as { port: number }
    const model = createOpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: key }).chat("m")
    const timeouts = { ...testTimeouts, firstTokenMs: 50 }
    expect((await askModel(model, { options: { timeouts } })).answer.outcome).toBe("timeout_first_token")
    expect((await askModel(model, { options: { timeouts: { ...testTimeouts, totalMs: 50 } } })).answer.outcome).toBe(
      "timeout_total",
    )
    const stop = new AbortController()
    const asked = askModel(model, { options: { signal: stop.signal } })
    setTimeout(() => stop.abort(), 20)
    expect((await asked).answer.outcome).toBe("cancelled")
  })

  it("tells a connection that breaks off inside the answer", async () => {
    const { createServer } = await import("node:http")
    const breaking = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk({ content: "Par" }))
      setTimeout(() => response.destroy(), 50)
    })
    await new Promise<void>((resolve) => breaking.listen(0, "127.0.0.1", resolve))
    opened.push({ close: () => new Promise((resolve) => breaking.close(() => resolve())) })
    const { port } = breaking.address() as { port: number }
    const { answer } = await askModel(createOpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: key }).chat("m"))
    expect(answer).toMatchObject({ outcome: "truncated", text: "Par" })
  })

  it("tells a port where nothing listens", async () => {
    const { mock, model } = await modelOver({ status: 200, body: {} })
    await mock.close()
    expect((await askModel(model)).answer.outcome).toBe("connection")
  })

  it("may be wrapped in middleware, and a specification v2 is read, too", async () => {
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Hi" },
      { type: "text-end", id: "0" },
      {
        type: "finish",
        finishReason: "stop",
        usage: { inputTokens: 4, outputTokens: 2, totalTokens: 6, cachedInputTokens: 1, reasoningTokens: 1 },
      },
    ]
    const v2: AiSdkModel = {
      specificationVersion: "v2",
      provider: "own",
      modelId: "old",
      doStream: () => Promise.resolve({ stream: ReadableStream.from(parts) }),
    }
    expect((await askModel(v2)).answer).toMatchObject({
      outcome: "ok",
      text: "Hi",
      usage: { promptTokens: 4, cachedPromptTokens: 1, completionTokens: 2, reasoningTokens: 1 },
    })
    const { model } = await modelOver({ events: [chunk({ content: "Hi" }), chunk({}, { finish_reason: "stop" })] })
    const wrapped = wrapLanguageModel({ model, middleware: { specificationVersion: "v3" } })
    expect((await askModel(wrapped)).answer).toMatchObject({ outcome: "ok", text: "Hi" })
  })

  it("is no name, and no other specification", () => {
    expect(() => fromAiSdk("gpt-4" as never)).toThrow(/got the name "gpt-4"; write for example fromAiSdk\(openai/)
    expect(() =>
      fromAiSdk({ specificationVersion: "v9", provider: "a", modelId: "b", doStream: async () => ({ stream: {} }) }),
    ).toThrow(/v2 and v3/)
  })

  it("has no price of the book, for its address is not known", () => {
    const { price, traits, label, identity } = fromAiSdk(createOpenAI({ apiKey: key }).chat("gpt-4.1"))
    expect({ price, service: traits?.service, label }).toEqual({
      price: undefined,
      service: null,
      label: "ai-sdk openai.chat gpt-4.1",
    })
    expect(JSON.stringify(identity)).not.toContain(key)
  })
})
