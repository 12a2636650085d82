import { describe, expect, it } from "vitest"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { readAnthropic } from "../../src/providers/anthropic/read.ts"
import { readCohere } from "../../src/providers/cohere/read.ts"
import { readGemini } from "../../src/providers/gemini/read.ts"
import { readByPaths } from "../../src/providers/http/read-events.ts"
import { answerOfEvents, answerOfPieces } from "../support/capture/answer-of-events.ts"
import { piece, pieces, stop, text, usage, words } from "../support/capture/paris-events.ts"

const ofApplication = readByPaths({ answer: (value) => [(value as { text?: string }).text] })

describe("an error inside a stream of status 200", () => {
  const forms = [
    { object: "error", message: "KV cache is full", type: "InternalServerError", code: 500 },
    { error: { message: "KV cache is full" } },
    { error: "KV cache is full" },
    { message: "KV cache is full", code: 50_001 },
    { detail: "KV cache is full" },
    { errors: [{ message: "KV cache is full" }] },
    { choices: [{ index: 0, error: { message: "KV cache is full", code: 502 }, finish_reason: "error", delta: {} }] },
    { base_resp: { status_code: 1013, status_msg: "KV cache is full" } },
    { statusCode: 500, message: "KV cache is full" },
    { code: 1234, msg: "KV cache is full" },
    { status: "failed", reason: "KV cache is full" },
    { success: false, message: "KV cache is full" },
    { error: true, message: "KV cache is full" },
    { error: "internal_error", message: "KV cache is full" },
    { fault: { faultstring: "KV cache is full", detail: { errorcode: "steps.Failed" } } },
    { modelStreamErrorException: { message: "KV cache is full", originalStatusCode: 500 } },
    { __type: "InternalServerException", Message: "KV cache is full" },
    { detail: { error: { message: "KV cache is full", code: 500 } } },
    { exception: "KV cache is full" },
    { errorMessage: "KV cache is full" },
    { status: "NOT_FOUND", message: "KV cache is full" },
  ]

  it.each(forms)("is a failure with its message, before and after text: %j", (error) => {
    for (const before of [[], pieces])
      for (const after of [[], ["[DONE]"]])
        expect(answerOfEvents([...before, error, ...after])).toMatchObject({
          outcome: "stream_error",
          failure: { message: "KV cache is full" },
        })
    expect(answerOfPieces([JSON.stringify(error)])).toMatchObject({ outcome: "stream_error" })
  })

  it.each([
    ["gemini", readGemini, { candidates: [{ content: { parts: [{ text: "Par" }] } }] }],
    ["cohere", readCohere, { type: "content-delta", delta: { message: { content: { text: "Par" } } } }],
    ["anthropic", readAnthropic, { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Par" } }],
    ["http", ofApplication, { text: "Par" }],
  ] as const)("is one for %s, too", (_, read, first) => {
    for (const error of forms.slice(0, 6))
      expect(answerOfEvents([first, error], read)).toMatchObject({ outcome: "stream_error", text: "Par" })
    const named = "event: error\ndata: upstream gone\n\n"
    expect(answerOfPieces([`data: ${JSON.stringify(first)}\n\n`, named], read)).toMatchObject({
      outcome: "stream_error",
      failure: { message: "upstream gone" },
    })
  })

  it("that says too many requests is a wait", () => {
    for (const code of [429, "429", "rate_limit_exceeded", "Throttling.RateQuota"])
      expect(answerOfPieces([JSON.stringify({ error: { message: "slow down", code } })])).toMatchObject({
        outcome: "rate_limited",
        failure: { message: "slow down" },
      })
    for (const error of [
      { status: 429, error: "slow down", path: "/v1" },
      { statusCode: 429, message: "slow down" },
      { throttlingException: { message: "slow down" } },
      { error: "too_many_requests", message: "slow down" },
    ])
      expect(answerOfEvents([...pieces, error, "[DONE]"])).toMatchObject({
        ...{ outcome: "rate_limited", failure: { message: "slow down" } },
      })
  })

  it.each(["Internal server error", "Endpoint request timed out", "Service Unavailable", "Forbidden"])(
    "may be a message alone: %s",
    (message) => {
      expect(answerOfEvents([...pieces, { message }, "[DONE]"])).toMatchObject({
        ...{ outcome: "stream_error", failure: { message } },
      })
    },
  )

  it("that names the content filter is a refusal", () => {
    const error = { code: "content_filter", message: "filtered", innererror: { code: "ResponsibleAIPolicyViolation" } }
    expect(answerOfEvents([...pieces, { error }])).toMatchObject({
      outcome: "refused",
      failure: { message: "filtered" },
    })
  })

  it("may stand on a line of its own, which is no event", () => {
    const line = `${JSON.stringify({ error: { message: "KV cache is full" } })}\n`
    const before = `data: ${JSON.stringify(piece("Paris"))}\n`
    for (const ends of ["\n", ""])
      expect(answerOfPieces([before + ends, line, "\ndata: [DONE]\n\n"])).toMatchObject({
        ...{ outcome: "stream_error", text: "Paris", failure: { message: "KV cache is full" } },
      })
  })

  it.each([
    { type: "status", message: "searching the web" },
    { status: "processing", message: "reading" },
    { code: 0, message: "success" },
    { code: 200, msg: "OK", data: {} },
    { message: "thinking about it" },
    { status: 2, message: "the second of three searches" },
    { message: "Limiting the search to 5 preferred pages" },
    { type: "interrupt", message: "May I send it?" },
    { step: 1, error: null, description: "reading" },
  ])("is none where an application tells how far it is: %j", (progress) => {
    expect(answerOfEvents([progress, { text: "Par" }, progress, { text: "is" }], ofApplication)).toMatchObject({
      ...{ outcome: "ok", text: "Paris" },
    })
  })

  it("is none where the field is there and says so, nor where an application answers with a message and a code", () => {
    expect(answerOfEvents([...pieces, { ...stop, error: null }, "[DONE]"]).outcome).toBe("ok")
    const read = readByPaths({ answer: (value) => [(value as { message?: string }).message] })
    expect(answerOfPieces(['{"message":"Paris","code":0,"error":null}'], read)).toMatchObject({
      outcome: "ok",
      text: "Paris",
    })
    expect(answerOfPieces(['{"message":"Paris","code":200}'], read)).toMatchObject({ outcome: "ok" })
  })
})

describe("the text of an answer", () => {
  const whole = {
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  }

  it("is taken once where its end repeats it, with what the pieces left out", () => {
    const { text: once, log } = answerOfEvents([...pieces, whole, "[DONE]"])
    expect(once).toBe(text)
    expect(requestFigures(log, 5).tpotMs).toBe(20)
    expect(answerOfEvents([...pieces.slice(0, 2), whole, "[DONE]"]).text).toBe(text)
    const growing = words.map((_, i) => ({
      choices: [{ index: 0, message: { content: words.slice(0, i + 1).join("") } }],
    }))
    expect(answerOfEvents([...growing, stop]).text).toBe(text)
  })

  it("is whole whatever the index of its only choice", () => {
    const indexes = [(i: number) => i, () => 1, () => "0", (i: number) => String(i), () => null]
    for (const indexOf of indexes) {
      const events = words.map((content, i) => ({ choices: [{ index: indexOf(i), delta: { content } }] }))
      expect(answerOfEvents([...events, stop, "[DONE]"])).toMatchObject({ outcome: "ok", text })
    }
  })

  it("keeps every piece of an event, and takes a delta before the message beside it", () => {
    const both = {
      choices: [
        { index: 0, delta: { content: "Paris" } },
        { index: 0, delta: { content: " is" } },
      ],
    }
    expect(answerOfEvents([both, stop]).text).toBe("Paris is")
    const twice = words.map((content, index) => ({ choices: [{ index, delta: { content }, message: { content } }] }))
    expect(answerOfEvents([...twice, stop]).text).toBe(text)
    const joined = `data: ${JSON.stringify(piece("Paris"))}\ndata: ${JSON.stringify(piece(" is"))}\n\n`
    expect(answerOfPieces([joined, `data: ${JSON.stringify(stop)}\n\n`])).toMatchObject({
      outcome: "ok",
      text: "Paris is",
    })
  })

  it("is not broken by events without data", () => {
    const beats = ["data:\n\n", "data: \n\n", "event: ping\ndata: \n\n"]
    expect(
      answerOfPieces([...beats, `data: ${JSON.stringify(piece("Paris"))}\n\n`, ...beats, "data: [DONE]\n\n"]),
    ).toMatchObject({
      outcome: "ok",
      text: "Paris",
    })
    expect(answerOfPieces([...beats, 'data: {"text":"Paris"}\n\n'], ofApplication)).toMatchObject({ outcome: "ok" })
  })

  it.each(['"[DONE]"', "DONE", " [done] "])("is over at %s", (mark) => {
    expect(answerOfEvents([...pieces, stop, mark])).toMatchObject({ outcome: "ok", text })
    expect(answerOfEvents([...pieces, mark])).toMatchObject({ outcome: "ok", text })
  })

  it("has a call of a tool once where the end repeats it", () => {
    const call = { index: 0, id: "c", function: { name: "find", arguments: "{}" } }
    const repeated = {
      object: "chat.completion",
      choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }],
    }
    const { toolCalls } = answerOfEvents([{ choices: [{ index: 0, delta: { tool_calls: [call] } }] }, repeated])
    expect(toolCalls).toEqual([{ id: "c", name: "find", arguments: {} }])
  })
})

describe("lines of JSON, as Ollama streams", () => {
  const ofOllama = readByPaths({
    answer: (value) => [(value as { message?: { content?: string } }).message?.content],
    usage: (value) => [value],
    finishReason: (value) => [(value as { done_reason?: string }).done_reason],
  })
  const said = words.map((content) => ({ message: { content }, done: false }))
  const end = { message: { content: "" }, done: true, done_reason: "stop", prompt_eval_count: 10, eval_count: 5 }
  const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`)

  it("are read as they come", () => {
    const { log, ...answer } = answerOfPieces(lines(...said, end), ofOllama)
    expect(answer).toMatchObject({ outcome: "ok", text, usage: { promptTokens: 10, completionTokens: 5 } })
    expect(requestFigures(log, 5)).toMatchObject({ ttftMs: 100, tpotMs: 20 })
    expect(answerOfPieces(lines(...pieces, stop, usage(10, 5)))).toMatchObject({ outcome: "ok", text })
  })

  it("may break off, and may hold an error", () => {
    expect(answerOfPieces([...lines(...said), '{"message":{"con'], ofOllama)).toMatchObject({
      outcome: "truncated",
      text,
    })
    expect(answerOfPieces(lines(...said, { error: "CUDA error" }), ofOllama)).toMatchObject({
      ...{ outcome: "stream_error", text, failure: { message: "CUDA error" } },
    })
  })
})

describe("thinking", () => {
  it.each([
    { reasoning_content: "hm" },
    { reasoning: "hm" },
    { reasoning_details: [{ type: "reasoning.text", text: "hm" }] },
    { reasoning: "hm", reasoning_details: [{ type: "reasoning.text", text: "hm" }] },
    { reasoning_details: [{ type: "reasoning.summary", summary: "hm" }] },
    { thinking_blocks: [{ type: "thinking", thinking: "hm" }] },
    { thinking: "hm" },
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] },
    { content: [{ type: "reasoning_text", text: "hm" }] },
    { thoughts: "hm" },
    { provider_specific_fields: { reasoning_content: "hm" } },
    { content: "hm", extra_content: { google: { thought: true } } },
  ])("is read once by any of its names: %j", (delta) => {
    const { reasoning, log } = answerOfEvents([{ choices: [{ index: 0, delta }] }, piece("Paris"), stop])
    expect(reasoning).toBe("hm")
    expect(requestFigures(log, 2)).toMatchObject({ ttftAnyMs: 100, ttftMs: 120 })
  })
})
