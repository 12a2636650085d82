import { describe, expect, it } from "vitest"
import type { TokenLogprob } from "../../src/core/generation.ts"
import { scoreWithinContext } from "../../src/text/score-within-context.ts"

class TooLong extends Error {}
const isTooLong = (error: unknown) => error instanceof TooLong

/** A model with a token for every three letters or a line's end, which says how many tokens it saw before each. */
function model(context: number) {
  const asked: number[] = []
  const scoreText = async (text: string): Promise<TokenLogprob[]> => {
    const tokens = text.match(/\n|[^\n]{1,3}/gu) ?? []
    if (tokens.length > context) throw new TooLong()
    asked.push(tokens.length)
    return tokens.map((token, i) => ({ token, logprob: -i, top: [] }))
  }
  return { asked, scoreText }
}

describe("a text that is longer than the context", () => {
  it.each([10, 64, 100])("is read through windows of %d tokens: each token once, with context", async (context) => {
    const text = Array.from({ length: 700 }, (_, i) => (i % 50 === 0 ? "\n" : String.fromCharCode(97 + (i % 26)))).join(
      "",
    )
    const { asked, scoreText } = model(context)
    let cut = 0
    const tokens = await scoreWithinContext(text, scoreText, isTooLong, () => cut++)
    expect(tokens.map(({ token }) => token).join("")).toBe(text)
    expect(cut).toBe(1)
    expect(Math.max(...asked)).toBeLessThanOrEqual(context)
    const first = asked[0] ?? 0
    for (const { logprob } of tokens.slice(first))
      expect(-logprob).toBeGreaterThanOrEqual(Math.min(first, ...asked.slice(0, -1)) / 2 - 2)
  })

  it("is read at once where it fits, and where a part is denser in smaller windows", async () => {
    const whole = model(100)
    await scoreWithinContext("abc".repeat(40), whole.scoreText, isTooLong)
    expect(whole.asked).toEqual([40])
    const { scoreText } = model(40)
    const text = "abc".repeat(100) + "\n".repeat(150) + "abc".repeat(20)
    const tokens = await scoreWithinContext(text, scoreText, isTooLong)
    expect(tokens.map(({ token }) => token).join("")).toBe(text)
  })

  it("splits no character, and passes on what has another reason", async () => {
    const { scoreText } = model(8)
    const text = "😀".repeat(60)
    const tokens = await scoreWithinContext(text, scoreText, isTooLong)
    expect(tokens.map(({ token }) => token).join("")).toBe(text)
    const failing = () => Promise.reject(new Error("gone"))
    await expect(scoreWithinContext("text", failing, isTooLong)).rejects.toThrow("gone")
    const never = () => Promise.reject(new TooLong())
    await expect(scoreWithinContext("text", never, isTooLong)).rejects.toThrow(TooLong)
  })
})
