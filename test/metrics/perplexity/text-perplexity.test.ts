import { describe, expect, it } from "vitest"
import { perplexityDrift } from "../../../metrics/perplexity/perplexity-drift.ts"
import { perplexityFigures } from "../../../metrics/perplexity/row.ts"
import { referencePerplexity, textPerplexity } from "../../../metrics/perplexity/text-perplexity.ts"
import { createRandom } from "../../../src/core/random.ts"

/** A model to which each character is a token whose probability is 1/2, or 1/4 within `context` characters of the start. */
function characterModel(context = 0) {
  const asked: string[] = []
  return {
    asked,
    scoreText: async (text: string) => {
      asked.push(text)
      return [...text].map((token, i) => ({ token, logprob: Math.log(i < context ? 1 / 4 : 1 / 2), top: [] }))
    },
  }
}

describe("textPerplexity", () => {
  it("scores a whole text and gives bits per byte", async () => {
    const { scoreText } = characterModel()
    const rows = await textPerplexity(["one two", "three"], { scoreText })
    expect(perplexityFigures(rows)).toMatchObject({ tokens: 12, words: 3, bytes: 12, perplexity: 2, bitsPerByte: 1 })
  })

  it("counts every character once when a window moves over a long text, with context before it", async () => {
    const text = Array.from({ length: 23 }, (_, i) => `w${i}`).join(" ")
    for (const [window, stride] of [
      [10, 5],
      [10, 10],
      [10, 3],
      [7, 1],
      [30, 2],
    ] as const) {
      const model = characterModel()
      const [row] = await textPerplexity([text], { scoreText: model.scoreText, window, stride })
      expect(row!.tokens).toBe(text.length)
      for (const piece of model.asked) expect(piece.trim().split(" ").length).toBeLessThanOrEqual(window)
    }
  })

  it("gives later words the context that a window without overlap lacks", async () => {
    const text = "aaaa ".repeat(40).trim()
    const score = async (stride: number) =>
      (await textPerplexity([text], { scoreText: characterModel(5).scoreText, window: 10, stride }))[0]!.nats
    expect(await score(5)).toBeLessThan(await score(10))
  })

  it("leaves out a first token that the endpoint could not score", async () => {
    const scoreText = async (text: string) =>
      [...text].slice(1).map((token) => ({ token, logprob: Math.log(0.5), top: [] }))
    expect((await textPerplexity(["abcd"], { scoreText }))[0]).toMatchObject({ tokens: 3, bytes: 4 })
  })

  it("refuses a stride that skips words", async () => {
    const { scoreText } = characterModel()
    await expect(textPerplexity(["a"], { scoreText, window: 5, stride: 6 })).rejects.toThrow(/stride must be/)
  })
})

describe("perplexityDrift", () => {
  const random = createRandom(4)
  const baseline = Array.from({ length: 40 }, () => {
    const tokens = 20 + random.integer(20)
    return { nats: tokens * (1 + 0.2 * random.next()), tokens, words: tokens, bytes: 4 * tokens }
  })
  const moved = (factor: number) =>
    baseline.map((row) => ({ ...row, nats: row.nats * factor * (1 + 0.01 * (random.next() - 0.5)) }))

  it("finds a small drift of the same texts, and none without a drift", () => {
    expect(perplexityDrift(baseline, moved(1.02))).toMatchObject({ drifted: true, texts: 40 })
    expect(perplexityDrift(baseline, moved(1)).drifted).toBe(false)
    expect(perplexityDrift(baseline, baseline)).toMatchObject({ ratio: 1, drifted: false })
  })

  it("repeats for the same seed", () => {
    const current = moved(1.01)
    expect(perplexityDrift(baseline, current, 3)).toEqual(perplexityDrift(baseline, current, 3))
  })

  it("refuses texts that do not match", () => {
    expect(() => perplexityDrift(baseline, baseline.slice(1))).toThrow(/same two or more texts/)
  })
})

describe("referencePerplexity", () => {
  it("scores each reference after its own messages", async () => {
    const asked: string[] = []
    const items = [
      { messages: [{ role: "user", content: "2 + 2?" }] as const, answer: "4" },
      { messages: [{ role: "user", content: "Who?" }] as const, answer: "Anna B" },
    ]
    const rows = await referencePerplexity(items, async (messages, answer) => {
      asked.push(messages[0]!.content)
      return answer.split(" ").map((token) => ({ token, logprob: Math.log(0.5), top: [] }))
    })
    expect(asked).toEqual(["2 + 2?", "Who?"])
    expect(perplexityFigures(rows)).toMatchObject({ tokens: 3, words: 3, bytes: 7, perplexity: 2 })
  })
})
