import type {
  ResponseCreateParamsStreaming,
  ResponseOutputItem,
  ResponseStreamEvent,
} from "openai/resources/responses/responses"
import { describe, expect, it } from "vitest"
import type { ChatMessage } from "../../../src/core/message.ts"
import { batchedAnswer } from "../../../src/providers/batch/answer.ts"
import { readResponses } from "../../../src/providers/openai/responses/read.ts"
import { serveLoopback } from "../../support/loopback.ts"
import {
  ask,
  at,
  bodies,
  closeAfterEach,
  completed,
  created,
  find,
  message,
  paris,
  question,
  responseOf,
  serve,
  spoken,
} from "./responses-service.ts"

closeAfterEach()

describe("a response", () => {
  it.each([
    { transport: "undici", captureThreads: 0 },
    { transport: "undici", captureThreads: 1 },
    { transport: "sdk", captureThreads: 0 },
    { transport: "sdk", captureThreads: 1 },
  ] as const)("is read with its counts over every transport: %j", async (options) => {
    const answer = await ask(await serve(() => paris), { options })
    expect([answer.failure, answer.outcome, answer.text, answer.servedModel]).toEqual([null, "ok", "Paris.", "m-2026"])
    expect(answer.usage).toMatchObject({
      promptTokens: 40,
      cachedPromptTokens: 30,
      completionTokens: 9,
      reasoningTokens: 6,
    })
    expect(answer.log.events.filter(({ kind, bytes }) => kind === "content" && bytes > 0)).toHaveLength(3)
    expect(answer.notes).toEqual([])
  })

  it("in one piece is read, too, live and in a batch", async () => {
    const whole = responseOf("completed", [message(["Paris."], 0)])
    expect(await ask(await serve(() => ({ status: 200, body: whole })))).toMatchObject({
      outcome: "ok",
      text: "Paris.",
    })
    const batched = batchedAnswer({ status: 200, body: JSON.stringify(whole), read: readResponses })
    expect(batched).toMatchObject({
      outcome: "ok",
      text: "Paris.",
      usage: { serviceTier: "batch", cachedPromptTokens: 30 },
    })
  })

  it("whose pieces a gateway leaves out is read from its end", async () => {
    const { text, outcome } = await ask(await serve(() => [created, completed([message(["Paris."], 0)])]))
    expect([outcome, text]).toEqual(["ok", "Paris."])
  })

  it("is over at its last event, although the connection stays open", async () => {
    const endless = await serveLoopback((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const event of paris)
        response.write(`data: ${JSON.stringify(event)}

`)
    })
    const startedMs = performance.now()
    const answer = await ask(endless.url).finally(() => endless.close())
    expect(answer).toMatchObject({ outcome: "ok", text: "Paris." })
    expect(performance.now() - startedMs).toBeLessThan(2500)
  })

  const incomplete = (reason: "max_output_tokens" | "content_filter"): ResponseStreamEvent => ({
    ...{ type: "response.incomplete", sequence_number: 9 },
    response: responseOf("incomplete", [message(["Par"], 0)], { incomplete_details: { reason } }),
  })
  const failed = (code: "server_error" | "rate_limit_exceeded"): ResponseStreamEvent => ({
    ...{ type: "response.failed", sequence_number: 9 },
    response: responseOf("failed", [], { error: { code, message: "went wrong" } }),
  })

  it.each([
    ["length", incomplete("max_output_tokens"), /^$/],
    ["refused", incomplete("content_filter"), /stopped by a content filter/],
    ["stream_error", failed("server_error"), /^went wrong$/],
    ["rate_limited", failed("rate_limit_exceeded"), /^went wrong$/],
    [
      "stream_error",
      { type: "error", code: "server_error", message: "went wrong", param: null, sequence_number: 9 },
      /^went wrong$/,
    ],
    [
      "truncated",
      { type: "response.in_progress", sequence_number: 9, response: responseOf("in_progress", []) },
      /without a finish reason/,
    ],
  ] as const)("that ends otherwise is %s", async (outcome, last, failure) => {
    const answer = await ask(await serve(() => [created, ...spoken(["Par"]), last]))
    expect(answer).toMatchObject({ outcome, text: "Par" })
    expect(answer.failure?.message ?? "").toMatch(failure)
  })

  it("that refuses is refused with its words", async () => {
    const refusal = "I cannot help with that."
    const location = { content_index: 0, ...at(0) }
    const events: ResponseStreamEvent[] = [
      created,
      { type: "response.refusal.delta", delta: "I cannot help ", ...location },
      { type: "response.refusal.delta", delta: "with that.", ...location },
      { type: "response.refusal.done", refusal, ...location },
      completed([
        {
          type: "message",
          id: "item_0",
          role: "assistant",
          status: "completed",
          content: [{ type: "refusal", refusal }],
        },
      ]),
    ]
    expect(await ask(await serve(() => events))).toMatchObject({
      outcome: "refused",
      failure: { message: refusal },
      text: "",
    })
  })
})

const reasoning: ResponseOutputItem = {
  ...{ type: "reasoning", id: "rs_1", encrypted_content: "gAAAAB" },
  summary: [
    { type: "summary_text", text: "Look it up." },
    { type: "summary_text", text: "Then answer." },
  ],
}
const call: ResponseOutputItem = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "find",
  arguments: '{"city":"Paris"}',
}
describe("reasoning", () => {
  const thoughts = reasoning.type === "reasoning" ? reasoning.summary.map(({ text }) => text) : []
  const events: ResponseStreamEvent[] = [
    created,
    { type: "response.output_item.added", item: { ...reasoning, summary: [] } as ResponseOutputItem, ...at(0) },
    ...thoughts.flatMap((delta, summary_index): ResponseStreamEvent[] => [
      { type: "response.reasoning_summary_text.delta", delta, summary_index, ...at(0) },
      { type: "response.reasoning_summary_text.done", text: delta, summary_index, ...at(0) },
    ]),
    { type: "response.output_item.done", item: reasoning, ...at(0) },
    { type: "response.output_item.added", item: { ...call, arguments: "" } as ResponseOutputItem, ...at(1) },
    { type: "response.function_call_arguments.delta", delta: '{"city":', ...at(1) },
    { type: "response.function_call_arguments.delta", delta: '"Paris"}', ...at(1) },
    { type: "response.function_call_arguments.done", name: "find", arguments: '{"city":"Paris"}', ...at(1) },
    { type: "response.output_item.done", item: call, ...at(1) },
    completed([reasoning, call]),
  ]

  it("is read by its summaries, and handed back encrypted with the results of tools", async () => {
    const baseUrl = await serve(({ input }) => (Array.isArray(input) && input.length > 1 ? paris : events))
    const first = await ask(baseUrl, { parameters: { tools: [find] } })
    expect(first).toMatchObject({ outcome: "ok", reasoning: "Look it up.\n\nThen answer.", text: "" })
    expect(first.log.events.map(({ kind }) => kind).filter((kind) => kind !== "role")).toEqual([
      ...["reasoning", "reasoning", "tool", "tool", "tool", "usage"],
    ])
    expect(first.toolCalls).toMatchObject([{ id: "call_1", name: "find", arguments: { city: "Paris" } }])
    const turns: readonly ChatMessage[] = [
      ...question,
      { role: "assistant", content: "", toolCalls: first.toolCalls },
      { role: "tool", content: "It is there.", toolCallId: "call_1" },
    ]
    const second = await ask(baseUrl, { messages: turns, parameters: { tools: [find] } })
    expect(second.text).toBe("Paris.")
    const { type: _, ...kept } = reasoning as Extract<ResponseOutputItem, { type: "reasoning" }>
    const expected: ResponseCreateParamsStreaming = {
      model: "m",
      input: [
        { role: "user", content: "Capital of France?" },
        { type: "reasoning", ...kept },
        { type: "function_call", call_id: "call_1", name: "find", arguments: '{"city":"Paris"}' },
        { type: "function_call_output", call_id: "call_1", output: "It is there." },
      ],
      include: ["reasoning.encrypted_content"],
      tools: [{ type: "function", name: "find", description: "Finds.", parameters: find.parameters, strict: false }],
      store: false,
      stream: true,
    }
    expect(bodies[1]).toEqual(expected)
  })

  it("that a model gives in no encrypted form is asked for no more, and noted", async () => {
    const error = {
      message: "Encrypted content is not supported with this model.",
      type: "invalid_request_error",
      param: "include",
      code: null,
    }
    const baseUrl = await serve(({ include }) => (include?.length ? { status: 400, body: { error } } : paris))
    const answer = await ask(baseUrl, { parameters: { tools: [find] } })
    expect([answer.outcome, bodies.length, "include" in (bodies[1] ?? {})]).toEqual(["ok", 2, false])
    expect(answer.notes).toEqual([
      "encrypted_reasoning: refused by the endpoint; the model's reasoning is not handed back with the results of its tools",
    ])
  })

  it("of open models is read as its text, and not again as a summary", async () => {
    const events: ResponseStreamEvent[] = [
      created,
      { type: "response.reasoning_text.delta", content_index: 0, delta: "Hm, ", ...at(0) },
      { type: "response.reasoning_text.delta", content_index: 0, delta: "France.", ...at(0) },
      { type: "response.reasoning_text.done", content_index: 0, text: "Hm, France.", ...at(0) },
      ...spoken(["Paris."], 1),
      completed([message(["Paris."], 0)]),
    ]
    expect(await ask(await serve(() => events))).toMatchObject({ reasoning: "Hm, France.", text: "Paris." })
  })
})
