import { describe, expect, it } from "vitest"
import { separateThinking } from "../../../src/text/reading/thinking.ts"

const answerOf = (text: string) => separateThinking(text)?.answer ?? text

describe("the answer of a text in which a model thinks", () => {
  it.each([
    ["a block", "<think>\nThe capital. Oslo or Bergen?\n</think>\n\nOslo"],
    ["the longer mark", "<thinking>Bergen?</thinking>Oslo"],
    ["a prefix and other letters", "<Seed:Think>Bergen?</Seed:Think>Oslo"],
    ["square brackets", "[THINK]Bergen?[/THINK]Oslo"],
    ["marks of Cohere", "<|START_THINKING|>Bergen?<|END_THINKING|>Oslo"],
    ["marks of Kimi", "◁think▷Bergen?◁/think▷Oslo"],
    ["two blocks", "<think>Bergen?</think>\n<think>No.</think>\nOslo"],
    ["a block on a later line", "<think></think>\n<think>\nBergen?\n</think>\n\nOslo"],
    ["only the closing mark, as templates that open the block leave it", "Bergen? Hmm.\n</think>\n\nOslo"],
    ["only the closing mark, on one line", "Bergen? Hmm.</think>Oslo"],
    ["a closing mark twice", "Bergen?</think>No, wait.</think>\nOslo"],
    ["a mark inside the block", "<think>I should write <think> first. Bergen?</think>\nOslo"],
    ["a torn code block before the closing mark", "```\nBergen?\n</think>\nOslo"],
    [
      "channels",
      "<|channel|>analysis<|message|>Bergen?<|end|><|start|>assistant<|channel|>final<|message|>Oslo<|return|>",
    ],
    [
      "channels whose first mark is gone",
      "analysis<|message|>Bergen?<|end|><|start|>assistant<|channel|>final<|message|>Oslo",
    ],
    ["a channel with a format", "<|channel|>final <|constrain|>json<|message|>Oslo<|return|>"],
    ["channels without their marks", "analysisThe user asks. Bergen?assistantfinalOslo"],
  ])("is what stands behind %s", (_, text) => {
    expect(answerOf(text)).toBe("Oslo")
  })

  it("is nothing where the block was never closed", () => {
    for (const text of ["<think>\nPerhaps Oslo, but", "<|channel|>analysis<|message|>Perhaps Oslo"])
      expect(separateThinking(text)).toMatchObject({ answer: "", isOpen: true })
  })

  it("is what stands before a block that was never closed", () => {
    expect(separateThinking("Oslo\n<think>Or was it")).toMatchObject({ answer: "Oslo", isOpen: true })
  })

  it.each([
    "The mark `<think>` opens a block and `</think>` closes it.",
    "Write <think> before and </think> behind it.",
    "Put </think> at its end.",
    "A template:\n```\n<think>\n{{ thoughts }}\n</think>\n```\nThat is all.",
    "I think, therefore I am: the reasoning of Descartes.",
    "analysis of the final figures",
  ])("is the whole text where the marks are written about: %s", (text) => {
    expect(separateThinking(text)).toBeNull()
  })

  it("does not change when it is read again", () => {
    const once = answerOf("Hmm.</think>\n<think>Bergen?</think>\nUse `</think>`.")
    expect(once).toBe("Use `</think>`.")
    expect(answerOf(once)).toBe(once)
  })

  it("takes a time that grows no faster than the text", () => {
    for (const bomb of [
      "<think>",
      "</think>",
      "<think>\n",
      "`",
      "```\n",
      "<|channel|>analysis",
      "analysis<|message|>",
    ]) {
      const started = performance.now()
      separateThinking(bomb.repeat(200_000 / bomb.length))
      expect(performance.now() - started).toBeLessThan(1000)
    }
  })
})
