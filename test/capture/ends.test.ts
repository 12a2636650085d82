import { describe, expect, it } from "vitest"
import type { ReadEvents } from "../../src/capture/read-answer.ts"
import { foreignAnswer } from "../../src/interop/foreign-answer.ts"
import { readAnthropic } from "../../src/providers/anthropic/read.ts"
import { readCohere } from "../../src/providers/cohere/read.ts"
import { readGemini } from "../../src/providers/gemini/read.ts"
import { readByPaths } from "../../src/providers/http/read-events.ts"
import { readRecordedRow } from "../../src/providers/recorded/row.ts"
import { answerOfEvents } from "../support/capture/answer-of-events.ts"

/** A text and its end, as each interface writes them. */
const readers: Readonly<Record<string, readonly [ReadEvents | undefined, (reason: string) => readonly unknown[]]>> = {
  chat: [
    undefined,
    (reason) => [
      { choices: [{ index: 0, delta: { content: "Paris" }, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
      "[DONE]",
    ],
  ],
  gemini: [
    readGemini,
    (reason) => [
      { candidates: [{ content: { parts: [{ text: "Paris" }] } }] },
      { candidates: [{ content: { parts: [] }, finishReason: reason }] },
    ],
  ],
  cohere: [
    readCohere,
    (reason) => [
      { type: "content-delta", delta: { message: { content: { text: "Paris" } } } },
      { type: "message-end", delta: { finish_reason: reason, usage: {} } },
    ],
  ],
  anthropic: [
    readAnthropic,
    (reason) => [
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Paris" } },
      { type: "message_delta", delta: { stop_reason: reason }, usage: {} },
      { type: "message_stop" },
    ],
  ],
  http: [
    readByPaths({
      answer: (value) => [(value as { text?: string }).text],
      finishReason: (value) => [(value as { why?: string }).why],
    }),
    (reason) => [{ text: "Paris" }, { why: reason }],
  ],
}

const ends = [
  ["stop", "ok"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "refused"],
  ["content_filter: RECITATION", "refused"],
  ["abort", "stream_error"],
  ["insufficient_system_resource", "stream_error"],
  ["a word of tomorrow", "stream_error"],
  ["null", "truncated"],
] as const

describe.each(Object.entries(readers))("an answer of %s", (_, [read, eventsOf]) => {
  it.each(ends)("that ends with %j is %s", (reason, outcome) => {
    const answer = answerOfEvents(eventsOf(reason), read)
    expect(answer).toMatchObject({ outcome, text: "Paris" })
    if (outcome === "stream_error")
      expect(answer).toMatchObject({ failure: { code: reason }, server: { stopReason: reason } })
  })
})

describe("an answer of a file", () => {
  it.each(ends)("that ends with %j is %s, or as its text says where it gives no reason", (reason, outcome) => {
    const expected = reason === "null" ? "ok" : outcome
    expect(foreignAnswer({ text: "Paris", finishReason: reason }, "test").outcome).toBe(expected)
    expect(readRecordedRow({ id: "1", text: "Paris", finishReason: reason }, "test").answer.outcome).toBe(expected)
  })
})

describe("a word that says nothing", () => {
  it("in each chunk is no end: what breaks off is cut off", () => {
    const piece = { choices: [{ index: 0, delta: { content: "Par" }, finish_reason: "null" }] }
    expect(answerOfEvents([piece, piece]).outcome).toBe("truncated")
    expect(answerOfEvents([piece, { choices: [{ delta: {}, finish_reason: "stop" }] }, piece]).outcome).toBe("ok")
  })

  it("may be an object with a type, as SGLang's is", () => {
    const end = (type: string) => ({ choices: [{ delta: { content: "a" }, finish_reason: { type } }] })
    expect(answerOfEvents([end("stop")]).outcome).toBe("ok")
    expect(answerOfEvents([end("abort")]).outcome).toBe("stream_error")
  })

  it("is none where it is a number: that is a word of nobody", () => {
    const end = { choices: [{ delta: { content: "a" }, finish_reason: 2 }] }
    expect(answerOfEvents([end, "[DONE]"])).toMatchObject({ outcome: "stream_error", failure: { code: "2" } })
  })
})
