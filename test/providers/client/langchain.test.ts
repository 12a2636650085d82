import { JsonOutputParser, StringOutputParser } from "@langchain/core/output_parsers"
import { ChatPromptTemplate } from "@langchain/core/prompts"
import { RunnableLambda } from "@langchain/core/runnables"
import { ChatOpenAI } from "@langchain/openai"
import { afterEach, describe, expect, it } from "vitest"
import { systemClock } from "../../../src/core/clock.ts"
import type { Answer } from "../../../src/core/generation.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import type { ChatMessage } from "../../../src/core/message.ts"
import type { GenerationParameters, RequestOptions } from "../../../src/core/provider.ts"
import type { Sample } from "../../../src/core/sample.ts"
import type { FromRunnableOptions, LangChainRunnable } from "../../../src/providers/langchain/types.ts"
import { fromRunnable } from "../../../src/providers/langchain.ts"
import { testContext, testTimeouts } from "../../support/ask.ts"
import { type ChatMock, startChatService } from "../../support/mocks/chat-service.ts"
import { type MockReply, startMock } from "../../support/mocks/frame.ts"
import { openai } from "../../support/mocks/services/openai.ts"

const key = "sk-langchain-key-0123456789"
const opened: { close(): Promise<void> }[] = []
afterEach(async () => void (await Promise.all(opened.splice(0).map((entry) => entry.close()))))

const modelAt = (baseUrl: string, more: object = {}) =>
  new ChatOpenAI({
    model: "gpt-4.1-mini",
    apiKey: key,
    maxRetries: 0,
    streamUsage: true,
    configuration: { baseURL: `${baseUrl}/v1` },
    ...more,
  })

async function service(): Promise<ChatMock> {
  const mock = await startChatService(openai, key)
  opened.push(mock)
  return mock
}

async function modelOver(reply: MockReply) {
  const mock = await startMock(() => reply)
  opened.push(mock)
  return { mock, model: modelAt(mock.baseUrl) }
}

async function askRunnable(
  runnable: LangChainRunnable,
  input: FromRunnableOptions & {
    messages?: readonly ChatMessage[]
    parameters?: GenerationParameters
    asked?: Partial<RequestOptions>
  } = {},
): Promise<{ readonly answer: Answer; readonly notes: readonly string[] }> {
  const { messages = [{ role: "user", content: "Capital of France?" }], parameters = {}, asked, ...own } = input
  const session = await fromRunnable(runnable, own).open(testContext())
  const now = systemClock.now()
  const moment = {
    clock: systemClock,
    originMs: now,
    scheduledMs: now,
    timeouts: testTimeouts,
    signal: new AbortController().signal,
  }
  const answer = await session.request({ messages, parameters }, { ...moment, ...asked })
  return { answer, notes: session.notes(parameters) }
}

const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "served", choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`

describe("a runnable of LangChain", () => {
  it("that is a chat model answers with text, usage in classes, finish reason and stamps of its iterator", async () => {
    const mock = await service()
    const { answer, notes } = await askRunnable(modelAt(mock.baseUrl), {
      parameters: { stop: ["END"], temperature: 1 },
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
      server: { transport: "langchain" },
    })
    expect(answer.log.events.filter(({ kind }) => kind === "content").map(({ bytes }) => bytes)).toEqual([3, 2])
    expect(mock.bodies[0]).toMatchObject({ stop: ["END"], messages: [{ role: "user", content: "Capital of France?" }] })
    expect(notes).toEqual([
      expect.stringContaining("on the wire are not known"),
      "parameters: temperature of the variant are not sent; the runnable has its own",
    ])
  })

  it("that is a chain gets what its prompt needs, and keeps its usage behind a parser", async () => {
    const mock = await service()
    const chain = ChatPromptTemplate.fromMessages([
      ["system", "Be brief."],
      ["user", "Q: {question}"],
    ])
      .pipe(modelAt(mock.baseUrl))
      .pipe(new StringOutputParser())
    const sample = { id: "s", input: "Capital?", references: ["Paris"] } as unknown as Sample
    let seen: object | null = null
    const { answer } = await askRunnable(chain, {
      input: ({ sample: question }) => {
        seen = question
        return { question: question?.input }
      },
      asked: { sample },
    })
    expect(answer).toMatchObject({ outcome: "ok", text: "Paris", finishReason: "stop", usage: { completionTokens: 2 } })
    expect(mock.bodies[0]?.messages).toMatchObject([{ content: "Be brief." }, { content: "Q: Capital?" }])
    expect(seen).toEqual({ id: "s", input: "Capital?" })
  })

  it("that asks two models has the sum of what both used", async () => {
    const mock = await service()
    const model = modelAt(mock.baseUrl)
    const chain = model
      .pipe(new StringOutputParser())
      .pipe(RunnableLambda.from((text: string) => `Again: ${text}`))
      .pipe(model)
    const { answer } = await askRunnable(chain)
    expect(mock.billed).toHaveLength(2)
    expect(answer.usage).toMatchObject({
      promptTokens: mock.billed.reduce((sum, { prompt }) => sum + prompt, 0),
      completionTokens: 4,
    })
  })

  it("that gives an object is written as JSON, or as `output` says", async () => {
    const events = [
      chunk({ content: '{"city":' }),
      chunk({ content: '"Paris"}' }),
      chunk({}, { finish_reason: "stop" }),
      "data: [DONE]\n\n",
    ]
    const { model } = await modelOver({ events })
    const chain = model.pipe(new JsonOutputParser())
    const { answer } = await askRunnable(chain)
    expect(answer).toMatchObject({ outcome: "ok", text: '{"city":"Paris"}', usage: { promptTokens: null } })
    expect(answer.log.events.filter(({ kind }) => kind === "content")).toHaveLength(1)
    expect((await askRunnable(chain, { output: (value) => (value as { city: string }).city })).answer.text).toBe(
      "Paris",
    )
  })

  it("binds tools, sends their results, and reads calls", async () => {
    const { mock, model } = await modelOver({
      events: [
        chunk({
          role: "assistant",
          tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "search", arguments: "" } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"q":"x"}' } }] }),
        chunk({}, { finish_reason: "tool_calls" }),
        "data: [DONE]\n\n",
      ],
    })
    const { answer } = await askRunnable(model, {
      messages: [
        { role: "user", content: "Find it." },
        { role: "assistant", content: "", toolCalls: [{ name: "search", arguments: { q: "y" }, id: "call_0" }] },
        { role: "tool", content: "nothing", toolCallId: "call_0" },
      ],
      parameters: { tools: [{ name: "search", parameters: { type: "object", properties: {} } }] },
    })
    expect(answer).toMatchObject({
      outcome: "ok",
      finishReason: "tool_calls",
      toolCalls: [{ name: "search", arguments: { q: "x" }, id: "call_1" }],
    })
    expect(mock.bodies[0]).toMatchObject({
      tools: [{ function: { name: "search" } }],
      messages: [
        { role: "user" },
        { role: "assistant", tool_calls: [{ id: "call_0" }] },
        { role: "tool", tool_call_id: "call_0", content: "nothing" },
      ],
    })
  })

  it.each([
    [429, { "retry-after": "2" }, { outcome: "rate_limited", httpStatus: 429, retryAfterMs: 2000 }],
    [503, {}, { outcome: "http_5xx", httpStatus: 503 }],
    [401, {}, { outcome: "http_4xx", httpStatus: 401 }],
  ] as const)("puts HTTP %i into its class", async (status, headers, expected) => {
    const { mock, model } = await modelOver({ status, headers, body: { error: { message: "no", type: "x" } } })
    expect((await askRunnable(model)).answer).toMatchObject(expected)
    expect(mock.bodies).toHaveLength(1)
  })

  it.each([
    ["", "truncated"],
    // An error that the package does not know, and lets pass.
    ['data: {"object":"error","message":"KV cache is full","code":500}\n\ndata: [DONE]\n\n', "truncated"],
    ['data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n', "ok"],
  ])("takes a stream that does not say why it ended for cut off: %j", async (rest, outcome) => {
    const first = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" }
    const text = { ...first, choices: [{ index: 0, delta: { content: "Par" }, finish_reason: null }] }
    const { model } = await modelOver({ events: [`data: ${JSON.stringify(text)}\n\n`, rest] })
    expect((await askRunnable(model)).answer).toMatchObject({ outcome, text: "Par" })
  })

  it("takes a stream of an error alone, which the package does not know, for no empty answer", async () => {
    const { model } = await modelOver({
      events: ['data: {"object":"error","message":"slow","code":429}\n\ndata: [DONE]\n\n'],
    })
    expect((await askRunnable(model)).answer).toMatchObject({ outcome: "truncated", text: "" })
  })

  it.each<JsonObject>([{ message: "slow; try again in 5.17s" }, { message: "slow", retry_after: 5.17 }])(
    "waits as long as a body asks: %j",
    async (error) => {
      const { model } = await modelOver({ status: 429, body: { error } })
      expect((await askRunnable(model)).answer).toMatchObject({ outcome: "rate_limited", retryAfterMs: 5170 })
    },
  )

  it("takes too many requests for a wait inside a stream, too", async () => {
    const first = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" }
    const text = { ...first, choices: [{ index: 0, delta: { content: "Par" }, finish_reason: null }] }
    const { model } = await modelOver({
      events: [
        `data: ${JSON.stringify(text)}\n\n`,
        'data: {"error":{"message":"slow down","code":"rate_limit_exceeded"}}\n\n',
      ],
    })
    expect((await askRunnable(model)).answer).toMatchObject({
      outcome: "rate_limited",
      failure: { message: "slow down", code: "rate_limit_exceeded" },
    })
  })

  it("ends within the limits and when the run is interrupted, and tells what its own code throws", async () => {
    const { mock, model } = await modelOver({ status: 200, body: {} })
    await mock.close()
    expect((await askRunnable(model)).answer.outcome).toBe("connection")
    const never = RunnableLambda.from(() => new Promise<string>(() => {}))
    expect(
      (await askRunnable(never, { asked: { timeouts: { ...testTimeouts, firstTokenMs: 50 } } })).answer.outcome,
    ).toBe("timeout_first_token")
    const stop = new AbortController()
    const asked = askRunnable(never, { asked: { signal: stop.signal } })
    setTimeout(() => stop.abort(), 20)
    expect((await asked).answer.outcome).toBe("cancelled")
    const broken = RunnableLambda.from((): string => {
      throw new Error("no index")
    })
    expect((await askRunnable(broken)).answer).toMatchObject({
      outcome: "application_error",
      failure: { message: "no index" },
    })
  })

  it("says that it tries again by itself, wherever in a chain", async () => {
    const chain = ChatPromptTemplate.fromTemplate("{q}")
      .pipe(modelAt("http://127.0.0.1:1", { maxRetries: 4 }))
      .pipe(new StringOutputParser())
    const session = await fromRunnable(chain).open(testContext())
    expect(session.notes().join("\n")).toContain("tries 4 times again by itself")
  })

  it("names its model, has no price of the book, and keeps addresses out of what is shown", () => {
    const provider = fromRunnable(modelAt("http://10.1.2.3:1234"))
    expect(provider).toMatchObject({
      kind: "langchain",
      model: "gpt-4.1-mini",
      label: "langchain ChatOpenAI gpt-4.1-mini",
    })
    expect(provider.price).toBeUndefined()
    expect(JSON.stringify(provider)).not.toMatch(/10\.1\.2\.3|sk-langchain/)
    expect(JSON.stringify(provider.privateIdentity?.())).toContain("10.1.2.3")
    expect(() => fromRunnable("chain" as never)).toThrow(/needs a runnable/)
  })
})
