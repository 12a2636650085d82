import { describe, expect, it } from "vitest"
import { costOfGeneration } from "../../src/cost/cost-of-usage.ts"
import { anthropic } from "../../src/providers/anthropic.ts"
import { testContext } from "../support/ask.ts"
import { startAnthropicMock } from "../support/mocks/anthropic.ts"
import { askedService } from "../support/mocks/asked-service.ts"

const { mock, ask } = askedService({
  key: "sk-ant-test-key-1",
  variable: "ANTHROPIC_API_KEY",
  model: "claude-x",
  start: startAnthropicMock,
  create: anthropic,
})

describe("anthropic", () => {
  it("streams text with usage by class and lifetime, and bills it to the cent", async () => {
    const { answer } = await ask("Capital of France?")
    expect(answer).toMatchObject({
      outcome: "ok",
      text: "It is Paris",
      reasoning: "",
      finishReason: "end_turn",
      servedModel: "claude-x-20260801",
      usage: {
        promptTokens: 1312,
        cachedPromptTokens: 300,
        cacheWrite5mTokens: 600,
        cacheWrite1hTokens: 400,
        completionTokens: 44,
      },
      server: { requestId: "req_012" },
    })
    const price = {
      kind: "tokens",
      source: "by hand",
      date: "2026-11-22",
      inputPerMillion: 3,
      outputPerMillion: 15,
      cachedInputPerMillion: 0.3,
      cacheWrite5mPerMillion: 3.75,
      cacheWrite1hPerMillion: 6,
    } as const
    // (12 × 3 + 300 × 0.3 + 600 × 3.75 + 400 × 6 + 44 × 15) / 1e6
    expect(costOfGeneration({ ...answer, retries: [] }, price)).toMatchObject({ status: "known", usd: 0.005436 })
  })

  it("keeps thinking and its tokens apart, and times the first thought before the first word", async () => {
    const { answer } = await ask("think", { thinking: 1024, parameters: { maxTokens: 3000 } })
    expect(answer).toMatchObject({ text: "It is Paris", reasoning: "Capital… ", usage: { reasoningTokens: 40 } })
    expect(answer.log.events.filter(({ bytes }) => bytes > 0).map(({ kind }) => kind)).toEqual([
      "reasoning",
      "content",
      "content",
    ])
    expect(mock().bodies.at(-1)).toMatchObject({ thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 3000 })
  })

  it("writes system, tools, tool results, schema, effort and cache marks in the interface's words", async () => {
    const { answer } = await ask("", {
      effort: "low",
      promptCache: "1h",
      parameters: {
        temperature: 0,
        topP: 0.9,
        stop: ["END"],
        tools: [{ name: "look", description: "looks", parameters: { type: "object" } }],
        jsonSchema: { name: "city", schema: { type: "object" } },
      },
      messages: [
        { role: "system", content: "Be short." },
        { role: "user", content: "Where?" },
        { role: "assistant", content: "", toolCalls: [{ id: "toolu_1", name: "look", arguments: { city: "Paris" } }] },
        { role: "tool", content: "found", toolCallId: "toolu_1" },
      ],
    })
    expect(mock().bodies.at(-1)).toEqual({
      model: "claude-x",
      max_tokens: 4096,
      system: [{ type: "text", text: "Be short.", cache_control: { type: "ephemeral", ttl: "1h" } }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Where?" }] },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "look", input: { city: "Paris" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "found" }] },
      ],
      temperature: 0,
      top_p: 0.9,
      stop_sequences: ["END"],
      tools: [{ name: "look", description: "looks", input_schema: { type: "object" } }],
      output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
      stream: true,
    })
    // "It is Paris" is not the JSON that was asked for.
    expect(answer.outcome).toBe("malformed")
  })

  it("takes the variant's effort before its own", async () => {
    await ask("Hi", { effort: "low", parameters: { effort: "high" } })
    expect(mock().bodies.at(-1)).toMatchObject({ output_config: { effort: "high" } })
  })

  it("puts a tool's arguments together", async () => {
    const { answer } = await ask("tool")
    expect(answer).toMatchObject({
      outcome: "ok",
      finishReason: "tool_use",
      toolCalls: [{ id: "toolu_1", name: "look", arguments: { city: "Paris" } }],
    })
  })

  it("sends the thinking before a call back with its result, signed as it came, and in front of the words", async () => {
    const thinking = { thinking: 1024, parameters: { maxTokens: 3000 } } as const
    const { answer } = await ask("tool, secretly", thinking)
    const [call] = answer.toolCalls
    expect(call?.thought).toEqual([
      { type: "thinking", thinking: "Capital… ", signature: "EqQB" },
      { type: "redacted_thinking", data: "Gk4=" },
    ])
    const turn = (calls: typeof answer.toolCalls) => [
      { role: "user", content: "tool" } as const,
      { role: "assistant", content: "I look.", toolCalls: calls } as const,
      { role: "tool", content: "found", toolCallId: "toolu_1" } as const,
    ]
    const { answer: next } = await ask("", { ...thinking, messages: turn(answer.toolCalls) })
    expect(next).toMatchObject({ outcome: "ok", text: "It is Paris" })
    expect(mock().bodies.at(-1)).toMatchObject({
      messages: [
        { role: "user" },
        {
          role: "assistant",
          content: [
            { type: "thinking", signature: "EqQB" },
            { type: "redacted_thinking", data: "Gk4=" },
            { type: "text", text: "I look." },
            { type: "tool_use", id: "toolu_1" },
          ],
        },
        { role: "user" },
      ],
    })
    // What the service says without it, and with what another service gave.
    const bare = answer.toolCalls.map(({ thought: _thought, ...rest }) => rest)
    for (const calls of [bare, bare.map((entry) => ({ ...entry, thought: "a signature of Gemini's" }))]) {
      const { answer: refused } = await ask("", { ...thinking, messages: turn(calls) })
      expect(refused).toMatchObject({ outcome: "http_4xx", failure: { message: expect.stringContaining("thinking") } })
    }
  })

  it.each([
    ["refuse", "refused", { refusalCategory: "cyber", stopReason: "refusal" }],
    ["long", "length", { stopReason: "max_tokens" }],
    ["overloaded", "http_5xx", {}],
    ["broken", "stream_error", {}],
    ["cut", "connection", {}],
  ] as const)("%s ends in its class", async (text, outcome, server) => {
    const { answer } = await ask(text)
    expect(answer).toMatchObject({ outcome, server })
  })

  it("leaves out a parameter that the model refuses, once, and says so", async () => {
    const before = mock().bodies.length
    const { answers, notes } = await ask("Hi", { model: "claude-new", parameters: { temperature: 0 }, times: 3 })
    expect(answers.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"])
    expect(mock().bodies.length - before).toBe(4)
    expect(answers[0]?.differences).toMatchObject([{ parameter: "temperature" }])
    expect(notes.join()).toContain("temperature")
  })

  it("never sends a seed or log-probabilities, and says what is lost", async () => {
    const { answer, notes } = await ask("Hi", { parameters: { seed: 7, topLogprobs: 2 } })
    expect(answer.outcome).toBe("ok")
    expect(mock().bodies.at(-1)).not.toHaveProperty("seed")
    expect(notes.join("\n")).toMatch(/logprobs.*\n.*seed|seed.*\n.*logprobs/)
  })

  it("does not work around a limit of tokens that is refused", async () => {
    const before = mock().bodies.length
    const { answer } = await ask("Hi", { thinking: 2048, parameters: { maxTokens: 100 } })
    expect(answer).toMatchObject({ outcome: "http_4xx", httpStatus: 400 })
    expect(answer.failure?.message).toContain("must be greater than")
    expect(mock().bodies.length - before).toBe(1)
  })

  it("has its key in no record", async () => {
    const { answer } = await ask("Hi", { key: "sk-ant-wrong-key-22" })
    expect(answer).toMatchObject({ outcome: "http_4xx", httpStatus: 401, failure: { code: "authentication_error" } })
    const { identity } = anthropic({ model: "m", headers: { "x-team": "hidden-value" } })
    expect(JSON.stringify([answer, identity])).not.toMatch(/sk-ant-wrong-key-22|hidden-value/)
    await expect(anthropic({ model: "m" }).open(testContext())).rejects.toThrow("ANTHROPIC_API_KEY")
  })

  it.each([{ thinking: 100 }, { thinking: "much" as never }, { promptCache: "2h" as never }])(
    "refuses %j",
    (options) => {
      expect(() => anthropic({ model: "m", ...options })).toThrow(
        /thinking (is|does not know)|promptCache does not know/,
      )
    },
  )
})
