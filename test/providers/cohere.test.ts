import { describe, expect, it } from "vitest"
import { costOfGeneration } from "../../src/cost/cost-of-usage.ts"
import { readCohere } from "../../src/providers/cohere/read.ts"
import { cohere } from "../../src/providers/cohere.ts"
import { testContext } from "../support/ask.ts"
import { askProvider } from "../support/ask-provider.ts"
import { askedService } from "../support/mocks/asked-service.ts"
import { startCohereMock } from "../support/mocks/cohere.ts"
import { takeFaults } from "../support/published/watch-requests.ts"

const key = "co-test-key-0123456789"
const { mock, ask } = askedService({
  key,
  variable: "COHERE_API_KEY",
  model: "command-x",
  start: startCohereMock,
  create: cohere,
})

describe("cohere", () => {
  it("streams text with the units that are billed, and bills them to the cent", async () => {
    const { answer } = await ask("Capital of France?")
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "It is Paris",
      reasoning: "",
      finishReason: "COMPLETE",
      usage: { promptTokens: 90, cachedPromptTokens: null, completionTokens: 50, units: { searchUnit: 2 } },
    })
    const price = {
      kind: "tokens",
      source: "by hand",
      date: "2026-11-22",
      inputPerMillion: 2.5,
      outputPerMillion: 10,
      unitFees: { searchUnit: 0.002 },
    } as const
    // (90 × 2.5 + 50 × 10) / 1e6 + 2 × 0.002
    expect(costOfGeneration({ ...answer, retries: [] }, price)).toMatchObject({
      status: "known",
      usd: expect.closeTo(0.004725, 12),
    })
  })

  it("keeps thinking apart, and times the first thought before the first word", async () => {
    const { answer } = await ask("Hi", { thinking: 512 })
    expect(answer).toMatchObject({ text: "It is Paris", reasoning: "Capital… " })
    expect(answer.log.events.filter(({ bytes }) => bytes > 0).map(({ kind }) => kind)).toEqual([
      "reasoning",
      "content",
      "content",
    ])
  })

  it.each([
    ["off", { type: "disabled" }],
    ["on", { type: "enabled" }],
    [512, { type: "enabled", token_budget: 512 }],
  ] as const)("asks for thinking: %s", async (thinking, expected) => {
    const { answer } = await ask("Hi", { thinking })
    expect(answer.outcome).toBe("ok")
    expect(mock().bodies.at(-1)?.thinking).toEqual(expected)
  })

  it("writes turns, tools, sampling, limits and schema in the interface's words", async () => {
    const { answer } = await ask("", {
      extraBody: { safety_mode: "STRICT" },
      parameters: {
        temperature: 0,
        topP: 0.9,
        maxTokens: 200,
        stop: ["END"],
        seed: 7,
        tools: [{ name: "look", description: "looks", parameters: { type: "object" } }],
        jsonSchema: { name: "city", schema: { type: "object" } },
        extra: { k: 40 },
      },
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "Where?" },
        { role: "assistant", content: "", toolCalls: [{ id: "look_1", name: "look", arguments: { city: "Paris" } }] },
        { role: "tool", content: "found", toolCallId: "look_1" },
      ],
    })
    expect(mock().bodies.at(-1)).toEqual({
      model: "command-x",
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "Where?" },
        {
          role: "assistant",
          tool_calls: [{ id: "look_1", type: "function", function: { name: "look", arguments: '{"city":"Paris"}' } }],
        },
        { role: "tool", content: "found", tool_call_id: "look_1" },
      ],
      temperature: 0,
      p: 0.9,
      max_tokens: 200,
      stop_sequences: ["END"],
      seed: 7,
      tools: [{ type: "function", function: { name: "look", description: "looks", parameters: { type: "object" } } }],
      response_format: { type: "json_object", json_schema: { type: "object" } },
      safety_mode: "STRICT",
      k: 40,
      stream: true,
    })
    expect(answer).toMatchObject({ outcome: "ok", text: '{"city":"Paris"}' })
  })

  it("puts calls of tools together, and takes the plan before them as reasoning", async () => {
    const { answer } = await ask("look")
    expect(answer).toMatchObject({
      outcome: "ok",
      reasoning: "I will look. ",
      finishReason: "TOOL_CALL",
      toolCalls: [
        { id: "look_1", name: "look", arguments: { city: "Paris" } },
        { id: "look_2", name: "look", arguments: {} },
      ],
    })
  })

  it("reads log-probabilities, and names by its number a token whose text is not told", async () => {
    const { answer } = await ask("Hi", { parameters: { topLogprobs: 3 } })
    expect(answer.logprobs).toEqual([
      { token: "<[5]>", logprob: -0.5, top: [] },
      { token: "<[6]>", logprob: -0.25, top: [] },
      { token: "Paris", logprob: -1, top: [] },
    ])
  })

  it.each([
    ["long", "length", { stopReason: "MAX_TOKENS" }],
    ["fault", "stream_error", {}],
    ["late", "stream_error", {}],
    ["broken", "stream_error", {}],
    ["endless", "truncated", {}],
    ["cut", "connection", {}],
    ["busy", "rate_limited", {}],
  ] as const)("%s ends in its class", async (text, outcome, server) => {
    const { answer } = await ask(text)
    expect(answer).toMatchObject({ outcome, server })
  })

  it("says why the service gave up", async () => {
    const [{ answer: fault }, { answer: late }] = await Promise.all([ask("fault"), ask("late")])
    expect(fault.failure?.message).toBe("the generation failed")
    expect(late.failure).toEqual({ message: "the answer ended with TIMEOUT", code: "TIMEOUT" })
  })

  it("leaves out what the model refuses, once, and says so", async () => {
    const before = mock().bodies.length
    const parameters = { seed: 7, topLogprobs: 0, temperature: 0 }
    const { answers, notes } = await ask("Hi", { model: "command-old", parameters, times: 3 })
    expect(answers.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"])
    expect(mock().bodies.length - before).toBe(5)
    expect(answers[0]?.differences?.map(({ parameter }) => parameter).sort()).toEqual(["logprobs", "seed"])
    expect(mock().bodies.at(-1)).toMatchObject({ temperature: 0 })
    expect(notes.join("\n")).toMatch(/seed.*\n.*logprobs|logprobs.*\n.*seed/)
  })

  it("does not work around a field that is none of the interface's", async () => {
    const { answer } = await ask("Hi", { extraBody: { best_of: 2 } })
    expect(answer).toMatchObject({ outcome: "http_4xx", httpStatus: 422 })
    expect(answer.failure?.message).toContain("parameter 'best_of' is not a valid field")
    expect(takeFaults().join()).toContain("/best_of is not known (cohereChat)")
  })

  it("reads a whole reply, as gateways give it", () => {
    const reply = {
      id: "m-1",
      finish_reason: "COMPLETE",
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm. " },
          { type: "text", text: "Paris" },
        ],
      },
      usage: { billed_units: { input_tokens: 9, output_tokens: 1 } },
      logprobs: [{ text: "Paris", token_ids: [7], logprobs: [-1] }],
    }
    expect(readCohere([{ data: JSON.stringify(reply), name: "", atMs: 5, complete: true }])).toMatchObject({
      text: "Paris",
      reasoning: "Hm. ",
      finishReason: "COMPLETE",
      done: true,
      usage: { promptTokens: 9, completionTokens: 1 },
      logprobs: [{ token: "Paris", logprob: -1 }],
      fault: null,
    })
    expect(readCohere([{ data: '{"message":"no"}', name: "", atMs: 5, complete: true }]).fault).toMatchObject({
      kind: "error",
      message: "no",
    })
  })

  it("has its key in no record", async () => {
    const { answer } = await askProvider(cohere({ model: "m", baseUrl: mock().baseUrl }), {
      messages: [{ role: "user", content: "Hi" }],
      environment: { COHERE_API_KEY: "co-wrong-key-987654321" },
    })
    expect(answer).toMatchObject({ outcome: "http_4xx", httpStatus: 401 })
    const { identity, endpoint } = cohere({ model: "m", headers: { "x-team": "hidden-value" } })
    expect(endpoint).toBe("api.cohere.com")
    expect(JSON.stringify([answer, identity])).not.toMatch(/co-wrong-key|hidden-value/)
    await expect(cohere({ model: "m" }).open(testContext())).rejects.toThrow("COHERE_API_KEY")
  })

  it.each([{ thinking: 0 }, { thinking: "much" as never }])("refuses %j", (options) => {
    expect(() => cohere({ model: "m", ...options })).toThrow(/thinking (is|does not know)/)
  })
})
