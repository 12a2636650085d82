import { describe, expect, it } from "vitest"
import { requestFigures } from "../../src/perf/request-figures.ts"
import { readAnthropic } from "../../src/providers/anthropic/read.ts"
import { readCohere } from "../../src/providers/cohere/read.ts"
import { readGemini } from "../../src/providers/gemini/read.ts"
import { readByPaths } from "../../src/providers/http/read-events.ts"
import { answerOfEvents, answerOfPieces } from "../support/capture/answer-of-events.ts"
import { piece, pieces, stop, text, usage } from "../support/capture/paris-events.ts"

const countedApplication = readByPaths({
  answer: (value) => [(value as { text?: string }).text],
  usage: (value) => [(value as { usage?: object }).usage],
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
    const events = said.flatMap<object>(([entry, tokens]) => write(entry, tokens))
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
