import { describe, expect, it } from "vitest"
import { createAnswerNotes, hasThinkingInText, isClumped } from "../../../src/providers/client/answer-notes.ts"
import { answerOfPieces } from "../../support/capture/answer-of-events.ts"

const event = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`
const words = (count: number) => Array.from({ length: count }, (_, i) => event(` w${i}`))
/** Chunks in reads of so many. */
const answerIn = (chunks: number, ofRead: number, stampsMs?: readonly number[]) => {
  const all = words(chunks)
  const reads = Array.from({ length: Math.ceil(chunks / ofRead) }, (_, i) => all.slice(i * ofRead, (i + 1) * ofRead))
  const pieces = [...reads.map((read) => read.join("")), end]
  return answerOfPieces(pieces, undefined, stampsMs && { stampsMs: [...stampsMs, (stampsMs.at(-1) ?? 0) + 20] })
}

describe("a stream", () => {
  it("is in clumps where a read brings four chunks or more, or all come at the end", () => {
    expect(isClumped(answerIn(40, 1))).toBe(false)
    expect(isClumped(answerIn(40, 2))).toBe(false)
    expect(isClumped(answerIn(40, 10))).toBe(true)
    // A gateway hands 40 chunks on each 800 ms, in four reads a tenth of a millisecond apart.
    const reads = [0, 800, 1600].flatMap((atMs) => [0, 0.1, 0.2, 0.3].map((later) => 900 + atMs + later))
    expect(isClumped(answerIn(120, 10, reads))).toBe(true)
  })

  it("of a few chunks, or of an answer that took no time, is not said to be", () => {
    expect(isClumped(answerIn(7, 7))).toBe(false)
    expect(isClumped(answerIn(40, 10, [10, 20, 30, 40]))).toBe(false)
  })

  it("is told of where most are so", () => {
    const some = createAnswerNotes()
    for (const ofRead of [10, 10, 1, 1, 1]) some.add(answerIn(40, ofRead))
    expect(some.list()).toEqual([])
    for (const ofRead of [10, 10, 10]) some.add(answerIn(40, ofRead))
    expect(some.list()).toEqual([expect.stringMatching(/^stream: chunks are held back on their way/)])
  })
})

it.each([
  ["<think>\nhm\n</think>\nParis", true],
  [" <THINKING>hm", true],
  ["hm, France …</think>Paris", true],
  ["Paris", false],
  ["I think <b>Paris</b>, <think it over>", false],
])("finds the tags of thinking in an answer's text: %j", (text, isFound) => {
  expect(hasThinkingInText({ text })).toBe(isFound)
  const notes = createAnswerNotes()
  notes.add(answerOfPieces([event(text), end]))
  expect(notes.list()).toEqual(isFound ? [expect.stringMatching(/^thinking: it stands in the text of answers/)] : [])
})
