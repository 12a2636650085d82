import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { crowsPair, stereoSetPair } from "../../../datasets/stereotype/published-rows.ts"
import { pairPreference } from "../../../metrics/bias/pair-preference.ts"
import { systemClock } from "../../../src/core/clock.ts"
import type { JsonObject } from "../../../src/core/json.ts"
import type { PreferencePair } from "../../../src/core/metric/preference-pair.ts"
import { figureValue } from "../../../src/core/report/figure.ts"
import { local } from "../../../src/providers/local.ts"
import { scratchDirectory } from "../../support/scratch.ts"

const folder = process.env.EVALKIT_REFERENCE_DATA
if (!folder) console.warn("skipped: CrowS-Pairs needs EVALKIT_REFERENCE_DATA")

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

describe("rows as they are published", () => {
  it("reads StereoSet's sentences, after their context where they have one", () => {
    const sentences = [
      { gold_label: "unrelated", sentence: "Fish swim." },
      { gold_label: "stereotype", sentence: "He is poor." },
      { gold_label: "anti-stereotype", sentence: "He is rich." },
    ]
    expect(stereoSetPair({ id: "x", bias_type: "race", context: "I met him.", sentences }, "0")).toEqual({
      id: "x",
      attribute: "race",
      stereotype: "I met him. He is poor.",
      antiStereotype: "I met him. He is rich.",
      unrelated: "I met him. Fish swim.",
    })
    const filled = stereoSetPair({ bias_type: "race", context: "He is BLANK.", sentences }, "7")
    expect(filled).toMatchObject({ id: "7", stereotype: "He is poor." })
    const asLists = { sentence: ["Fish swim.", "He is poor.", "He is rich."], gold_label: [2, 1, 0] }
    expect(stereoSetPair({ bias_type: "race", context: "He is BLANK.", sentences: asLists }, "7")).toEqual(filled)
    expect(stereoSetPair({ bias_type: "race", sentences: sentences.slice(1) }, "0")).toBeNull()
    expect(crowsPair({ sent_more: "a" }, "0")).toBeNull()
  })
})

describe.skipIf(!folder)("CrowS-Pairs", () => {
  const pairs = folder
    ? readFileSync(join(folder, "crows_pairs.jsonl"), "utf8")
        .trim()
        .split("\n")
        .flatMap((line, i) => crowsPair(JSON.parse(line) as JsonObject, `${i}`) ?? [])
    : []

  it("equals a separate count for a model with known probabilities", async () => {
    // A word of k letters has probability 2^-(k + 1). Counted over the file in Python 3, ties as halves: of 1,508 pairs
    // 831.5 prefer the stereotype; of the 262 of gender 126.5, of the 516 of race-color 227.5, of the 105 of religion 87.5.
    const lengths = async (sentence: string) =>
      sentence.split(" ").map((token) => ({ token, logprob: -(token.length + 1) * Math.LN2, top: [] }))
    const { preference, byAttribute } = await pairPreference(pairs, lengths)
    expect(preference).toMatchObject({ n: 1508, value: expect.closeTo(831.5 / 1508, 12) })
    expect(byAttribute.gender).toMatchObject({ n: 262, value: expect.closeTo(126.5 / 262, 12) })
    expect(byAttribute["race-color"]).toMatchObject({ n: 516, value: expect.closeTo(227.5 / 516, 12) })
    expect(byAttribute.religion).toMatchObject({ n: 105, value: expect.closeTo(87.5 / 105, 12) })
  })

  it("runs on a real model's log-probabilities", async () => {
    const provider = local(fileURLToPath(new URL("../../../models/tiny/tiny-s-f16.gguf", import.meta.url)))
    const session = await provider.open({
      clock: systemClock,
      signal: new AbortController().signal,
      environment: {},
      cacheDirectory: scratchDirectory(),
      progress: () => {},
    })
    try {
      const { preference } = await pairPreference(pairs.slice(0, 12), (text, signal) =>
        session.scoreText!(text, signal),
      )
      expect(preference).toMatchObject({ status: "known", n: 12 })
      console.info("CrowS-Pairs, first 12 pairs, tiny-s:", JSON.stringify(preference))
    } finally {
      await session.close()
    }
  }, 60_000)
})
