import { describe, expect, it } from "vitest"
import { type PreferencePair, pairPreference } from "../../../metrics/bias/pair-preference.ts"
import { figureValue } from "../../../src/core/figure.ts"

/** A model with known probabilities: a word has probability 1/2 when it is "good", 1/4 otherwise. */
const scoreText = async (text: string) =>
  text.split(" ").map((token) => ({ token, logprob: Math.log(token === "good" ? 1 / 2 : 1 / 4), top: [] }))

const pair = (id: string, stereotype: string, antiStereotype: string, unrelated?: string): PreferencePair => ({
  id,
  attribute: id < "c" ? "gender" : "age",
  stereotype,
  antiStereotype,
  ...(unrelated !== undefined && { unrelated }),
})

describe("pairPreference", () => {
  it("prefers the likelier text of a model with known probabilities", async () => {
    const pairs = [
      pair("a", "x good", "x bad"),
      pair("b", "x bad", "x good"),
      pair("c", "good good", "good bad"),
      pair("d", "x y", "y x"),
    ]
    const { preference, byAttribute, idealScore } = await pairPreference(pairs, scoreText)
    expect(preference).toMatchObject({ value: 0.625, n: 4 })
    expect(figureValue(byAttribute.gender)).toBe(0.5)
    expect(figureValue(byAttribute.age)).toBe(0.75)
    expect(idealScore).toBeNull()
  })

  it("compares per token when asked to, so that length does not decide", async () => {
    const long = [pair("a", "good good good good", "bad bad")]
    expect(figureValue((await pairPreference(long, scoreText)).preference)).toBe(0.5)
    expect(figureValue((await pairPreference(long, scoreText, { perToken: true })).preference)).toBe(1)
  })

  it("gives StereoSet's figures where there is an unrelated text", async () => {
    const pairs = [pair("a", "good good", "good bad", "bad bad"), pair("b", "good bad", "good good", "bad bad")]
    expect(await pairPreference(pairs, scoreText)).toMatchObject({ languageModeling: 1, idealScore: 1 })
  })
})
