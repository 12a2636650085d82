import { describe, expect, it } from "vitest"
import { failWhenNothingBegan } from "../../src/calls/length-empty.ts"
import { withoutThinking } from "../../src/text/reading/without-thinking.ts"
import { fakeAnswer } from "../support/fake-provider.ts"

const cut = (change: object) => ({ ...fakeAnswer(""), outcome: "length" as const, ...change })

describe("an answer that ended at its token limit before it began", () => {
  it("is a failure of its own class, with what was spent and what to do", () => {
    const usage = { promptTokens: 9, cachedPromptTokens: null, completionTokens: 512, reasoningTokens: 500 }
    const { outcome, failure } = failWhenNothingBegan(cut({ usage, reasoning: "let me see" }), 512)
    expect(outcome).toBe("length_empty")
    expect(failure?.message).toBe(
      "the limit of 512 tokens was reached before the answer began (500 of them on thinking): raise maxTokens",
    )
  })
  it("is seen where a model writes its thoughts into the text, and never closes them", () => {
    expect(failWhenNothingBegan(withoutThinking(cut({ text: "<think>Let me see. First" })), 20).outcome).toBe(
      "length_empty",
    )
    expect(failWhenNothingBegan(withoutThinking(cut({ text: "<think>I see.</think>\n\n" })), 20).outcome).toBe(
      "length_empty",
    )
    expect(failWhenNothingBegan(withoutThinking(cut({ text: "<think>I see.</think> The ans" })), 20).outcome).toBe(
      "length",
    )
  })
  it("is not an answer that was merely cut, a call of a tool, or a text that was only to be scored", () => {
    const call = { id: "1", name: "look", arguments: "{}" }
    for (const change of [{ text: "The ans" }, { toolCalls: [call] }, { isGivenText: true }])
      expect(failWhenNothingBegan(cut(change), 20).outcome).toBe("length")
    expect(failWhenNothingBegan(fakeAnswer(""), 20).outcome).not.toBe("length_empty")
  })
})
