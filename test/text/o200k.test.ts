import fc from "fast-check"
import { Tiktoken } from "js-tiktoken/lite"
import ranks from "js-tiktoken/ranks/o200k_base"
import { beforeAll, describe, expect, it } from "vitest"
import { type CountTokens, loadO200k } from "../../src/text/o200k.ts"

describe("o200k tokens", () => {
  let count: CountTokens
  let reference: Tiktoken
  beforeAll(async () => {
    count = await loadO200k()
    reference = new Tiktoken(ranks)
  })
  const expected = (text: string) => reference.encode(text, [], []).length

  it.each([
    "",
    "hello world",
    "The quick brown fox jumps over the lazy dog's back 1234567 times.\n\n  And again!",
    "Donaudampfschifffahrtsgesellschaft, naïve façade, Ångström",
    "敏捷的棕色狐狸跳过了懒狗。すばやい茶色の狐。",
    "Быстрая коричневая лисица перепрыгивает ленивую собаку",
    "👩‍👩‍👧‍👦 🇩🇪 e\u0301 \ud800 lone",
    "<|endoftext|> is text here",
    'function f(x) {\n\treturn { a: x ?? "b", c: [1, 2.5e-7] }\n}\r\n',
  ])("of %j are counted as js-tiktoken 1.0 counts them", (text) => {
    expect(count(text)).toBe(expected(text))
  })

  it("are counted like js-tiktoken's in any text", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", maxLength: 60 }))
    fc.assert(
      fc.property(text, (any) => {
        expect(count(any)).toBe(expected(any))
      }),
      { numRuns: 300 },
    )
  })

  it("of a long run without a break are counted in bounded time", () => {
    const start = process.cpuUsage()
    const tokens = count("a".repeat(20_000))
    const { user } = process.cpuUsage(start)
    expect(tokens).toBeGreaterThan(1000)
    expect(user / 1000).toBeLessThan(2000)
  })
})
