import { describe, expect, it } from "vitest"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { readAnthropic } from "../../src/providers/anthropic/read.ts"
import { readCohere } from "../../src/providers/cohere/read.ts"
import { readGemini } from "../../src/providers/gemini/read.ts"
import { readByPaths } from "../../src/providers/http/read-events.ts"
import { answerOfEvents, answerOfPieces } from "../support/capture/answer-of-events.ts"

const piece = (content: string, rest: object = {}) => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...rest,
})
const stop = { object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }
const usage = (prompt: number, completion: number, more: object = {}) => ({
  choices: [],
  usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...more },
})
const words = ["Paris", " is", " the", " capital", "."]
const text = words.join("")
const pieces = words.map((word) => piece(word))
const ofApplication = readByPaths({ answer: (value) => [(value as { text?: string }).text] })
const countedApplication = readByPaths({
  answer: (value) => [(value as { text?: string }).text],
  usage: (value) => [(value as { usage?: object }).usage],
})

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

describe("token counts", () => {
  const counts = (...ends: readonly object[]) => answerOfEvents([...pieces, stop, ...ends, "[DONE]"])

  it.each([0, 1])("of %i beside a text are no counts", (completion) => {
    const { usage: read, server } = counts(usage(10, completion))
    expect(read).toMatchObject({ promptTokens: 10, completionTokens: null })
    expect(server).toMatchObject({ unusableUsage: ["completion tokens"] })
  })

  it.each([
    ["above the limit that was sent", {}, 21, null],
    ["above it by what ends an answer", {}, 18, 18],
    ["above it by thinking that is counted apart", { completion_tokens_details: { reasoning_tokens: 6 } }, 21, 21],
  ])("%s are counts only where they can be true", (_, details, completion, expected) => {
    const events = [...pieces, stop, usage(10, completion, details), "[DONE]"]
    const { usage: read, server } = answerOfEvents(events, undefined, { maxTokens: 16 })
    expect(read.completionTokens).toBe(expected)
    if (expected === null) expect(server).toMatchObject({ unusableUsage: ["completion tokens"] })
    else expect(server).not.toHaveProperty("unusableUsage")
  })

  it("of nothing at all are no counts for any reader", () => {
    const parts = [{ content: { parts: [{ text }] }, finishReason: "STOP" }]
    const usageMetadata = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }
    expect(answerOfEvents([{ candidates: parts, usageMetadata }], readGemini)).toMatchObject({
      usage: { promptTokens: null, completionTokens: null },
      server: { unusableUsage: ["prompt tokens", "completion tokens"] },
    })
  })

  it("that were good before a 0 at the end are taken, and the end is told", () => {
    const { usage: read, server } = counts(usage(10, 5), usage(0, 0))
    expect(read).toMatchObject({ promptTokens: 10, completionTokens: 5 })
    expect(server).toMatchObject({ unusableUsage: ["usage at the end"] })
    expect(counts({ choices: [], usage: { total_tokens: 0 } }, usage(10, 5)).usage.completionTokens).toBe(5)
  })

  it("in each chunk say how many tokens it holds", () => {
    const first = { ...piece("a b c d e f g h "), usage: usage(10, 16).usage }
    const later = Array.from({ length: 16 }, (_, i) => ({
      ...piece(" internationalisation"),
      usage: usage(10, 17 + i).usage,
    }))
    const { log, usage: read } = answerOfEvents([first, ...later, stop, usage(10, 32), "[DONE]"])
    expect(read.completionTokens).toBe(32)
    expect(log.events.slice(0, 3).map(({ kind, tokens }) => [kind, tokens])).toEqual([
      ["content", 16],
      ["usage", null],
      ["content", 1],
    ])
    expect(requestFigures(log, 32).tpotMs).toBe(20)
  })

  it.each([
    [
      "gemini",
      readGemini,
      (said: string, tokens: number) => ({
        candidates: [{ content: { parts: [{ text: said }] }, finishReason: tokens === 20 ? "STOP" : null }],
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: tokens, totalTokenCount: 9 + tokens },
      }),
    ],
    ["http", countedApplication, (said: string, tokens: number) => ({ text: said, ...usage(9, tokens) })],
    [
      "anthropic",
      readAnthropic,
      (said: string, tokens: number) => [
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } },
        {
          type: "message_delta",
          delta: { stop_reason: "end_turn" },
          usage: { input_tokens: 9, output_tokens: tokens },
        },
      ],
    ],
  ] as const)("in each chunk say so to the reader of %s, too", (_, read, write) => {
    const said = [
      ["a b c d e f g h ", 16] as const,
      [" internationalisation", 18] as const,
      [" internationalisation", 20] as const,
    ]
    const events = said.flatMap<object>(([one, tokens]) => write(one, tokens))
    const { log, usage: counted } = answerOfEvents(events, read)
    expect(counted).toMatchObject({ promptTokens: 9, completionTokens: 20 })
    expect(log.events.flatMap(({ kind, tokens }) => (kind === "content" ? [tokens] : []))).toEqual([16, 2, 2])
  })

  it("of Anthropic that were good before a 0 are taken, and a message behind its pieces once", () => {
    const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }
    const ends = [{ output_tokens: 5 }, { output_tokens: 0 }].map((counted) => ({
      ...{ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: counted },
    }))
    const whole = { type: "message", content: [{ type: "text", text }], stop_reason: "end_turn" }
    expect(answerOfEvents([delta, ...ends, whole, { type: "message_stop" }], readAnthropic)).toMatchObject({
      ...{ outcome: "ok", text, usage: { completionTokens: 5 }, server: { unusableUsage: ["usage at the end"] } },
    })
  })

  it.each<[string, object]>([
    ["a choice's delta", { choices: [{ index: 0, delta: { usage: usage(10, 5).usage } }] }],
    ["Anthropic's words", { choices: [], usage: { input_tokens: 10, output_tokens: 5 } }],
    ["our own words", { choices: [], usage: { promptTokens: 10, completionTokens: 5 } }],
    ["Bedrock's words", { choices: [], usage: { inputTokens: 10, outputTokens: 5 } }],
    ["Gemini's place", { choices: [], usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 } }],
    ["Ollama's place", { choices: [], prompt_eval_count: 10, eval_count: 5 }],
  ])("are read in %s", (_, end) => {
    expect(counts(end).usage).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it("of no prompt are no counts: there is one", () => {
    const { usage: read, server } = counts(usage(0, 5))
    expect(read).toMatchObject({ promptTokens: null, completionTokens: 5 })
    expect(server).toMatchObject({ unusableUsage: ["prompt tokens"] })
    expect(counts(usage(10, 3), usage(0, 5)).usage).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it("of thinking that are more than the answer's stand beside them, or cannot be true", () => {
    const thinking = { completion_tokens_details: { reasoning_tokens: 60 } }
    const { total_tokens: _, ...parts } = usage(10, 5, thinking).usage
    expect(counts({ choices: [], usage: parts }).usage).toMatchObject({ completionTokens: 65, reasoningTokens: 60 })
    const { usage: read, server } = counts(usage(10, 5, thinking))
    expect(read).toMatchObject({ completionTokens: 5, reasoningTokens: null })
    expect(server).toMatchObject({ unusableUsage: ["reasoning_tokens"] })
  })

  it.each([
    { prompt_cache_hit_tokens: 800 },
    { cached_tokens: 800 },
    { cache_read_input_tokens: 800 },
    { prompt_tokens_details: { cached_tokens: 800, cache_write_tokens: 50 } },
  ])("of the cache stand beside the prompt by any name: %j", (cached) => {
    const written = "prompt_tokens_details" in cached ? 50 : 0
    expect(counts(usage(100, 5, { ...cached, total_tokens: 905 + written })).usage).toMatchObject({
      ...{ promptTokens: 900 + written, cachedPromptTokens: 800, completionTokens: 5 },
    })
  })

  it("of the cache may stand beside the prompt, which the total shows", () => {
    const cached = { prompt_tokens_details: { cached_tokens: 800 } }
    expect(counts(usage(100, 5, { ...cached, total_tokens: 905 })).usage).toMatchObject({
      ...{ promptTokens: 900, cachedPromptTokens: 800, completionTokens: 5, reasoningTokens: null },
    })
    const thinking = { completion_tokens_details: { reasoning_tokens: 7 } }
    expect(counts(usage(100, 5, { ...cached, ...thinking, total_tokens: 912 })).usage).toMatchObject({
      ...{ promptTokens: 900, cachedPromptTokens: 800, completionTokens: 12, reasoningTokens: 7 },
    })
    expect(counts(usage(1000, 5, cached)).usage).toMatchObject({ promptTokens: 1000, cachedPromptTokens: 800 })
  })

  it("may stand in the last choice, as Moonshot's do", () => {
    const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: usage(10, 5).usage }] }
    expect(answerOfEvents([...pieces, last, "[DONE]"]).usage).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })
})

describe("log-probabilities", () => {
  it("of 0 are read alike by another reader", () => {
    const delta = { message: { content: { text: "a" } } }
    const logprobs = { text: "a", token_ids: [1], logprobs: [null] }
    const answer = answerOfEvents([{ type: "content-delta", delta, logprobs }], readCohere)
    expect(answer.logprobs?.map(({ logprob }) => logprob)).toEqual([-9999])
  })

  it("of 0 are as low as can be, however the server writes them, and lose no answer", () => {
    const entry = (logprob: string) =>
      `data: {"choices":[{"index":0,"delta":{"content":"a"},"logprobs":{"content":[{"token":"a","logprob":${logprob},"top_logprobs":[]}]}}]}\n\n`
    const { outcome, logprobs } = answerOfPieces([
      entry("null"),
      entry("-Infinity"),
      entry("-0.5"),
      entry("NaN"),
      "data: [DONE]\n\n",
    ])
    expect(outcome).toBe("ok")
    expect(logprobs?.map(({ logprob }) => logprob)).toEqual([-9999, -9999, -0.5])
    expect(
      answerOfPieces([
        `data: ${JSON.stringify(piece('say "-Infinity" or NaN'))}\n\n`.replace('"index":0', '"index":NaN'),
        "data: [DONE]\n\n",
      ]).text,
    ).toBe('say "-Infinity" or NaN')
  })
})
