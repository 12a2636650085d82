import { openai } from "evalkit"
import type {
  Response,
  ResponseCreateParamsStreaming,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from "openai/resources/responses/responses"
import { afterEach, describe, expect, it } from "vitest"
import { systemClock } from "../../../src/core/clock.ts"
import type { ChatMessage, ToolDefinition } from "../../../src/core/message.ts"
import type { GenerationParameters } from "../../../src/core/provider.ts"
import { batchedAnswer } from "../../../src/providers/batch/answer.ts"
import type { OpenaiOptions } from "../../../src/providers/openai/options.ts"
import { readResponses } from "../../../src/providers/openai/responses/read.ts"
import { testContext, testTimeouts } from "../../support/ask.ts"
import { type Loopback, serveLoopback } from "../../support/loopback.ts"

/** A service that speaks the Responses API; its events and the bodies that are expected have the types of the maker's own package. */
type Reply = readonly ResponseStreamEvent[] | { readonly status: number; readonly body: object }

const bodies: ResponseCreateParamsStreaming[] = []
let server: Loopback
afterEach(async () => {
  bodies.length = 0
  await server?.close()
})

async function serve(reply: (body: ResponseCreateParamsStreaming) => Reply): Promise<string> {
  server = await serveLoopback((request, response, text) => {
    const body = JSON.parse(text) as ResponseCreateParamsStreaming
    bodies.push(body)
    const answer = request.url === "/v1/responses" ? reply(body) : { status: 404, body: { detail: request.url } }
    if ("status" in answer) {
      response.writeHead(answer.status, { "content-type": "application/json" })
      return void response.end(JSON.stringify(answer.body))
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const event of answer) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  return server.url
}

interface Asked {
  readonly messages?: readonly ChatMessage[]
  readonly parameters?: GenerationParameters
  readonly options?: Partial<OpenaiOptions>
}

async function ask(baseUrl: string, { messages = question, parameters = {}, options = {} }: Asked = {}) {
  const session = await openai({ model: "m", baseUrl, apiKeyVariable: null, api: "responses", ...options }).open(
    testContext(),
  )
  const now = systemClock.now()
  const moment = { clock: systemClock, originMs: now, scheduledMs: now, timeouts: testTimeouts }
  try {
    const { signal } = new AbortController()
    return { ...(await session.request({ messages, parameters }, { ...moment, signal })), notes: session.notes() }
  } finally {
    await session.close()
  }
}

const question: readonly ChatMessage[] = [{ role: "user", content: "Capital of France?" }]

const usage: ResponseUsage = {
  input_tokens: 40,
  input_tokens_details: { cached_tokens: 30, cache_write_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 6 },
  total_tokens: 49,
}

function responseOf(status: Response["status"], output: ResponseOutputItem[], rest: Partial<Response> = {}): Response {
  return {
    ...{ id: "resp_1", object: "response", created_at: 0, model: "m-2026", output_text: "", parallel_tool_calls: true },
    ...{ error: null, incomplete_details: null, instructions: null, metadata: null, temperature: 1, top_p: 1 },
    ...{ tool_choice: "auto", tools: [], status: status ?? "completed", output, usage, service_tier: "default" },
    ...rest,
  }
}

let sequence = 0
const at = (index: number) => ({ sequence_number: sequence++, output_index: index, item_id: `item_${index}` })

/** The events of an item of text. */
function spoken(words: readonly string[], index = 0): readonly ResponseStreamEvent[] {
  const text = words.join("")
  const part = { type: "output_text", text, annotations: [] } as const
  return [
    { type: "response.output_item.added", item: message([], index), ...at(index) },
    {
      type: "response.content_part.added",
      content_index: 0,
      part: { ...part, text: "", annotations: [] },
      ...at(index),
    },
    ...words.map(
      (delta): ResponseStreamEvent => ({
        ...{ type: "response.output_text.delta", content_index: 0, delta, logprobs: [], ...at(index) },
      }),
    ),
    { type: "response.output_text.done", content_index: 0, text, logprobs: [], ...at(index) },
    { type: "response.content_part.done", content_index: 0, part: { ...part, annotations: [] }, ...at(index) },
    { type: "response.output_item.done", item: message([text], index), ...at(index) },
  ]
}

function message(texts: readonly string[], index: number): ResponseOutputItem {
  const content = texts.map((text) => ({ type: "output_text" as const, text, annotations: [] }))
  return { type: "message", id: `item_${index}`, role: "assistant", status: "completed", content }
}

const created: ResponseStreamEvent = {
  ...{ type: "response.created", sequence_number: 0, response: responseOf("in_progress", [], {}) },
}

function completed(output: ResponseOutputItem[]): ResponseStreamEvent {
  return { type: "response.completed", sequence_number: sequence++, response: responseOf("completed", output) }
}

const paris = [created, ...spoken(["Par", "is", "."]), completed([message(["Paris."], 0)])]

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
    server = await serveLoopback((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const event of paris)
        response.write(`data: ${JSON.stringify(event)}

`)
    })
    const startedMs = performance.now()
    expect(await ask(server.url)).toMatchObject({ outcome: "ok", text: "Paris." })
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
    const place = { content_index: 0, ...at(0) }
    const events: ResponseStreamEvent[] = [
      created,
      { type: "response.refusal.delta", delta: "I cannot help ", ...place },
      { type: "response.refusal.delta", delta: "with that.", ...place },
      { type: "response.refusal.done", refusal, ...place },
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
const find: ToolDefinition = { name: "find", description: "Finds.", parameters: { type: "object", properties: {} } }

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

describe("a request", () => {
  it("says in the interface's words what the parameters ask for", async () => {
    const schema = {
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    }
    const url = "https://pictures.example/1.png"
    const messages: readonly ChatMessage[] = [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: "What is it?",
        parts: [
          { type: "text", text: "What is it?" },
          { type: "image_url", url },
        ],
      },
      { role: "assistant", content: "A tower." },
      { role: "user", content: "Where?" },
    ]
    const answer = await ask(await serve(() => paris), {
      messages,
      parameters: {
        temperature: 0,
        topP: 0.9,
        maxTokens: 64,
        effort: "low",
        topLogprobs: 3,
        jsonSchema: { name: "city", schema },
        seed: 7,
        stop: ["\n"],
      },
      options: { extraBody: { reasoning: { summary: "auto" }, service_tier: "flex" } },
    })
    const expected: ResponseCreateParamsStreaming = {
      model: "m",
      input: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is it?" },
            { type: "input_image", image_url: url, detail: "auto" },
          ],
        },
        { role: "assistant", content: "A tower." },
        { role: "user", content: "Where?" },
      ],
      temperature: 0,
      top_p: 0.9,
      max_output_tokens: 64,
      reasoning: { effort: "low", summary: "auto" },
      include: ["message.output_text.logprobs"],
      top_logprobs: 3,
      text: { format: { type: "json_schema", name: "city", schema, strict: true } },
      service_tier: "flex",
      store: false,
      stream: true,
    }
    expect(bodies).toEqual([expected])
    expect(answer.outcome).toBe("malformed")
    expect(answer.notes).toEqual([
      "seed: not offered by this endpoint; answers cannot be repeated exactly",
      "stop: not offered by this endpoint; answers go on behind the texts that were to end them",
    ])
  })

  it("is asked for log-probabilities, which a model may refuse alone", async () => {
    const error = {
      message: "logprobs are not supported with reasoning models.",
      type: "invalid_request_error",
      param: "include",
      code: null,
    }
    const baseUrl = await serve(({ top_logprobs }) => (top_logprobs ? { status: 400, body: { error } } : paris))
    expect((await ask(baseUrl, { parameters: { topLogprobs: 2, tools: [find] } })).outcome).toBe("ok")
    expect(bodies.map(({ include }) => include)).toEqual([
      ["message.output_text.logprobs", "reasoning.encrypted_content"],
      ["reasoning.encrypted_content"],
    ])
    const delta: ResponseStreamEvent = {
      ...{ type: "response.output_text.delta", content_index: 0, delta: "Paris", ...at(0) },
      logprobs: [{ token: "Paris", logprob: -0.1, top_logprobs: [{ token: "Paris", logprob: -0.1 }] }],
    }
    server.close()
    const given = await ask(await serve(() => [created, delta, completed([])]), { parameters: { topLogprobs: 1 } })
    expect(given.logprobs).toMatchObject([{ token: "Paris", logprob: -0.1 }])
  })

  it("is of one of two interfaces, which is a part of who is asked", () => {
    const identity = (options: Partial<OpenaiOptions>) => openai({ model: "m", ...options }).identity
    expect(identity({ api: "responses" })).toMatchObject({ api: "responses" })
    expect(identity({ api: "chat" })).toEqual(identity({}))
    expect(() => openai({ model: "m", api: "assistants" as never })).toThrow('api does not know "assistants"')
  })

  it("of a batch names the interface", async () => {
    const session = await openai({ model: "m", apiKeyVariable: null, api: "responses" }).open(testContext())
    const line = session.batches?.line("q1", { messages: question, parameters: {} }, []) ?? "{}"
    const { url, body } = JSON.parse(line) as { url: string; body: object }
    expect([url, "stream" in body, "store" in body]).toEqual(["/v1/responses", false, true])
    await session.close()
    await serve(() => paris)
  })
})
