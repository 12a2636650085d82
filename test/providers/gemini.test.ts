import { describe, expect, it } from "vitest"
import { costOfGeneration } from "../../src/cost/cost-of-usage.ts"
import { gemini } from "../../src/providers/gemini.ts"
import { testContext } from "../support/ask.ts"
import { askProvider } from "../support/ask-provider.ts"
import { askedService } from "../support/mocks/asked-service.ts"
import { startGeminiMock } from "../support/mocks/gemini.ts"
import { takeFaults } from "../support/published/watch-requests.ts"

const key = "AIza-test-key-0123456789"
const { mock, ask } = askedService({
  key,
  variable: "GEMINI_API_KEY",
  model: "gemini-2.5-flash",
  start: startGeminiMock,
  create: gemini,
})

describe("gemini", () => {
  it("streams text with the last chunk's usage, and bills it to the cent", async () => {
    const { answer } = await ask("Capital of France?")
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "It is Paris",
      reasoning: "",
      finishReason: "STOP",
      servedModel: "gemini-2.5-flash-001",
      usage: { promptTokens: 100, cachedPromptTokens: 40, completionTokens: 50, reasoningTokens: null },
      server: { responseId: "resp-1" },
    })
    expect(mock().bodies.at(-1)).toEqual({
      contents: [{ role: "user", parts: [{ text: "Capital of France?" }] }],
      generationConfig: {},
    })
    const price = {
      kind: "tokens",
      source: "by hand",
      date: "2026-11-22",
      inputPerMillion: 0.3,
      outputPerMillion: 2.5,
      cachedInputPerMillion: 0.03,
    } as const
    // (60 × 0.3 + 40 × 0.03 + 50 × 2.5) / 1e6
    expect(costOfGeneration({ ...answer, retries: [] }, price)).toMatchObject({
      status: "known",
      usd: expect.closeTo(0.0001442, 12),
    })
  })

  it("keeps thoughts and their tokens apart, and times the first thought before the first word", async () => {
    const { answer } = await ask("think", { thinking: 1024 })
    expect(answer).toMatchObject({
      text: "It is Paris",
      reasoning: "Capital… ",
      usage: { completionTokens: 80, reasoningTokens: 30 },
    })
    expect(answer.log.events.filter(({ bytes }) => bytes > 0).map(({ kind }) => kind)).toEqual([
      "reasoning",
      "content",
      "content",
    ])
  })

  it.each([
    ["off", { thinkingBudget: 0 }],
    ["dynamic", { includeThoughts: true, thinkingBudget: -1 }],
    [512, { includeThoughts: true, thinkingBudget: 512 }],
    ["high", { includeThoughts: true, thinkingLevel: "HIGH" }],
  ] as const)("asks for thinking: %s", async (thinking, thinkingConfig) => {
    const { answer } = await ask("Hi", { thinking })
    expect(answer.outcome).toBe("ok")
    expect(mock().bodies.at(-1)).toMatchObject({ generationConfig: { thinkingConfig } })
  })

  it("writes system, tools, tool results, sampling and limits in the interface's words", async () => {
    const { answer } = await ask("", {
      model: "gemini-3.1-pro",
      serviceTier: "flex",
      extraBody: { generationConfig: { topK: 40 }, safetySettings: [] },
      parameters: {
        temperature: 0,
        topP: 0.9,
        maxTokens: 200,
        stop: ["END"],
        seed: 7,
        tools: [{ name: "look", description: "looks", parameters: { type: "object" } }],
        extra: { generationConfig: { presencePenalty: 0.5 } },
      },
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "Where?" },
        {
          role: "assistant",
          content: "",
          toolCalls: [
            { id: "a", name: "look", arguments: { city: "Paris" } },
            { id: "b", name: "ask", arguments: "not JSON" },
          ],
        },
        { role: "tool", content: '{"found":true}', toolCallId: "a" },
        { role: "tool", content: "nobody", toolCallId: "b" },
      ],
    })
    expect(mock().bodies.at(-1)).toEqual({
      systemInstruction: { parts: [{ text: "Be short." }] },
      contents: [
        { role: "user", parts: [{ text: "Where?" }] },
        {
          role: "model",
          parts: [
            {
              functionCall: { id: "a", name: "look", args: { city: "Paris" } },
              thoughtSignature: "skip_thought_signature_validator",
            },
            { functionCall: { id: "b", name: "ask", args: { text: "not JSON" } } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { id: "a", name: "look", response: { found: true } } },
            { functionResponse: { id: "b", name: "ask", response: { output: "nobody" } } },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [{ name: "look", description: "looks", parametersJsonSchema: { type: "object" } }],
        },
      ],
      generationConfig: {
        temperature: 0,
        topP: 0.9,
        maxOutputTokens: 200,
        stopSequences: ["END"],
        seed: 7,
        topK: 40,
        presencePenalty: 0.5,
      },
      safetySettings: [],
      serviceTier: "flex",
    })
    expect(answer).toMatchObject({ outcome: "ok", usage: { serviceTier: "flex" } })
  })

  it("says which call a tool's result lacks, instead of sending it", async () => {
    const before = mock().bodies.length
    const { answer } = await ask("", { messages: [{ role: "tool", content: "found", toolCallId: "x" }] })
    expect(answer).toMatchObject({ outcome: "client_fault", failure: { message: expect.stringContaining('"x"') } })
    expect(mock().bodies.length).toBe(before)
  })

  it("asks for JSON by its schema", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } } }
    const { answer } = await ask("Hi", { parameters: { jsonSchema: { name: "city", schema } } })
    expect(answer).toMatchObject({ outcome: "ok", text: '{"city":"Paris"}' })
    expect(mock().bodies.at(-1)).toMatchObject({
      generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema },
    })
  })

  it("reads log-probabilities with their alternatives", async () => {
    const { answer } = await ask("Hi", { parameters: { topLogprobs: 2 } })
    expect(mock().bodies.at(-1)).toMatchObject({ generationConfig: { responseLogprobs: true, logprobs: 2 } })
    expect(answer.logprobs).toEqual([
      {
        token: "It is ",
        logprob: -0.25,
        top: [
          { token: "It is ", logprob: -0.25 },
          { token: "Rome", logprob: -3 },
        ],
      },
      {
        token: "Paris",
        logprob: -0.5,
        top: [
          { token: "Paris", logprob: -0.5 },
          { token: "Rome", logprob: -3 },
        ],
      },
    ])
  })

  it("reads calls of tools", async () => {
    const { answer } = await ask("tool")
    expect(answer).toMatchObject({
      outcome: "ok",
      toolCalls: [
        { id: "fc-1", name: "look", arguments: { city: "Paris" } },
        { id: "fc-2", name: "look", arguments: {} },
      ],
    })
  })

  it("sends a call's signature back with it, and stands in for one only where it has none", async () => {
    const { answer } = await ask("tool")
    expect(answer.toolCalls.map(({ thought }) => thought)).toEqual(["EqQB", undefined])
    const messages = [
      { role: "user", content: "tool" } as const,
      { role: "assistant", content: "", toolCalls: answer.toolCalls } as const,
      { role: "tool", content: "found", toolCallId: "fc-1" } as const,
      { role: "tool", content: "found", toolCallId: "fc-2" } as const,
    ]
    await ask("", { messages })
    const { contents } = mock().bodies.at(-1) as unknown as { contents: { parts: { thoughtSignature?: string }[] }[] }
    expect(contents[1]?.parts.map(({ thoughtSignature }) => thoughtSignature)).toEqual(["EqQB", undefined])
  })

  it.each([
    ["blocked", "refused", { blockReason: "PROHIBITED_CONTENT" }],
    ["unsafe", "refused", { stopReason: "SAFETY" }],
    ["recite", "refused", { stopReason: "RECITATION" }],
    ["long", "length", { stopReason: "MAX_TOKENS" }],
    ["garbled", "malformed", { stopReason: "MALFORMED_FUNCTION_CALL" }],
    ["other", "stream_error", { stopReason: "OTHER" }],
    ["busy", "http_5xx", {}],
    ["quota", "rate_limited", {}],
    ["broken", "stream_error", {}],
    ["endless", "truncated", {}],
    ["cut", "connection", {}],
  ] as const)("%s ends in its class", async (text, outcome, server) => {
    const { answer } = await ask(text)
    expect(answer).toMatchObject({ outcome, server })
  })

  it("bills a blocked prompt, names the reason of an error by its word, and waits as long as it asks to", async () => {
    const [{ answer: blocked }, { answer: broken }, { answer: quota }] = await Promise.all([
      ask("blocked"),
      ask("broken"),
      ask("quota"),
    ])
    expect(blocked.usage).toMatchObject({ promptTokens: 100, completionTokens: 0 })
    expect(broken.failure).toEqual({ message: "An internal error.", code: "INTERNAL" })
    expect(quota).toMatchObject({ failure: { code: "RESOURCE_EXHAUSTED" }, retryAfterMs: 34_500 })
    expect(broken.retryAfterMs).toBeNull()
  })

  it.each([
    ["gemini-2.5-flash-lite", { topLogprobs: 2, temperature: 0 }, ["logprobs"], { temperature: 0 }],
    ["gemini-3-new", { seed: 7, temperature: 0, maxTokens: 9 }, ["temperature", "seed"], { maxOutputTokens: 9 }],
  ] as const)("leaves out what %s refuses, once, and says so", async (model, parameters, refused, left) => {
    const before = mock().bodies.length
    const { answers, notes } = await ask("Hi", { model, parameters, times: 3 })
    expect(answers.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"])
    expect(mock().bodies.length - before).toBe(3 + refused.length)
    expect(answers[0]?.differences?.map(({ parameter }) => parameter).sort()).toEqual([...refused].sort())
    expect(mock().bodies.at(-1)).toMatchObject({ generationConfig: left })
    expect(Object.keys(mock().bodies.at(-1)?.generationConfig as object)).toEqual(Object.keys(left))
    for (const parameter of refused) expect(notes.join()).toContain(parameter)
  })

  it("does not work around a kind of thinking or a field that is refused", async () => {
    const before = mock().bodies.length
    const { answer } = await ask("Hi", { model: "gemini-2.5-pro", thinking: "off", parameters: { temperature: 0 } })
    expect(answer).toMatchObject({ outcome: "http_4xx", failure: { code: "INVALID_ARGUMENT" } })
    expect(answer.failure?.message).toContain("Budget 0 is invalid")
    const { answer: unknown } = await ask("Hi", { extraBody: { generationConfig: { best: 1 } } })
    expect(unknown.failure?.message).toContain("Unknown name \"best\" at 'generation_config'")
    expect(mock().bodies.length - before).toBe(2)
    expect(takeFaults().join()).toContain("/generationConfig/best is not known (generateContent)")
  })

  it("has its key in no URL and in no record", async () => {
    const { answer } = await askProvider(gemini({ model: "m", baseUrl: `${mock().baseUrl}/?region=x` }), {
      messages: [{ role: "user", content: "Hi" }],
      environment: { GEMINI_API_KEY: "AIza-wrong-key-987654321" },
    })
    expect(mock().urls.at(-1)).toBe("/v1beta/models/m:streamGenerateContent?region=x&alt=sse")
    expect(answer.outcome).toBe("http_4xx")
    const { identity } = gemini({ model: "m", headers: { "x-team": "hidden-value" } })
    expect(JSON.stringify([answer, identity, mock().urls])).not.toMatch(/AIza|hidden-value/)
    await expect(gemini({ model: "m" }).open(testContext())).rejects.toThrow("GEMINI_API_KEY")
    expect(() => gemini({ model: "m", baseUrl: "https://host/?key=AIza123" })).toThrow("must not hold a key")
  })

  it("has its own address, and takes a path for a model", async () => {
    const provider = gemini({ model: "models/gemini-2.5-flash" })
    expect(provider).toMatchObject({ kind: "gemini", endpoint: "generativelanguage.googleapis.com" })
    await ask("Hi", { model: "models/gemini-2.5-flash" })
    expect(mock().urls.at(-1)).toBe("/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse")
  })

  it.each([{ thinking: 0 }, { thinking: "much" as never }, { serviceTier: "slow" as never }])(
    "refuses %j",
    (options) => {
      expect(() => gemini({ model: "m", ...options })).toThrow(/thinking (is|does not know)|serviceTier does not know/)
    },
  )
})
