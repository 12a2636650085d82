import { describe, expect, it } from "vitest"
import { unsentLog } from "../../../src/core/bare-answer.ts"
import { foreignGeneration } from "../../../src/text/reading/foreign-generation.ts"
import { withoutThinking } from "../../../src/text/reading/without-thinking.ts"
import { fakeAnswer } from "../../support/fake-provider.ts"

const pieces = ["<think>", "Bergen?", "</think>\n\n", "Os", "lo"]
const text = pieces.join("")
const events = pieces.map((piece, i) => ({
  atMs: i,
  kind: "content" as const,
  tokens: null,
  bytes: Buffer.byteLength(piece),
}))

describe("an answer without its thinking", () => {
  it("has its thinking in its place, and its first token behind the block", () => {
    const answer = withoutThinking({ ...fakeAnswer(text), log: { ...unsentLog(0, 0), events } })
    expect(answer).toMatchObject({ outcome: "ok", text: "Oslo", reasoning: "Bergen?" })
    expect(answer.log.events.map(({ kind }) => kind)).toEqual([
      "reasoning",
      "reasoning",
      "reasoning",
      "content",
      "content",
    ])
  })

  it("keeps the log-probabilities of what it answered", () => {
    const logprobs = pieces.map((token) => ({ token, logprob: -1, top: [] }))
    const { logprobs: kept } = withoutThinking({ ...fakeAnswer(text), logprobs })
    expect(kept?.map(({ token }) => token)).toEqual(["Os", "lo"])
  })

  it("is of a class of its own where it ended inside its thinking, and empty where nothing follows it", () => {
    expect(withoutThinking(fakeAnswer("<think>Perhaps Oslo"))).toMatchObject({ outcome: "thinking_only", text: "" })
    expect(withoutThinking(fakeAnswer("<think>Oslo.</think>\n"))).toMatchObject({ outcome: "empty", text: "" })
    const call = { id: "1", name: "look", arguments: "{}" }
    expect(withoutThinking({ ...fakeAnswer("<think>Hm.</think>"), toolCalls: [call] }).outcome).toBe("ok")
  })

  it("is read so from files, too, and a text that was given to a model is left as it is", () => {
    expect(foreignGeneration({ sampleId: "1", text }).text).toBe("Oslo")
    expect(foreignGeneration({ sampleId: "1", text, isGivenText: true }).text).toBe(text)
  })
})
