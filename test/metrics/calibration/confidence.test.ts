import { describe, expect, it } from "vitest"
import { agreementCalibrationError } from "../../../metrics/calibration/agreement-calibration-error.ts"
import { choiceDistribution, rightChoice } from "../../../metrics/calibration/choice-distribution.ts"
import { classwiseCalibrationError } from "../../../metrics/calibration/classwise-calibration-error.ts"
import { confidenceOf } from "../../../metrics/calibration/confidence.ts"
import { expectedCalibrationError } from "../../../metrics/calibration/expected-calibration-error.ts"
import type { TokenLogprob } from "../../../src/core/generation.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"

const token = (text: string, share: number, top: Readonly<Record<string, number>> = {}): TokenLogprob => ({
  token: text,
  logprob: Math.log(share),
  top: Object.entries(top).map(([name, value]) => ({ token: name, logprob: Math.log(value) })),
})

const twoTokens = { ...answerOf("x y"), logprobs: [token("x", 0.5), token(" y", 0.8)] }

describe("confidenceOf", () => {
  it("is the product, the geometric mean or the minimum of the token probabilities", () => {
    expect(confidenceOf(twoTokens)).toBeCloseTo(0.4, 12)
    expect(confidenceOf(twoTokens, "product")).toBeCloseTo(0.4, 12)
    expect(confidenceOf(twoTokens, "mean")).toBeCloseTo(Math.sqrt(0.4), 12)
    expect(confidenceOf(twoTokens, "minimum")).toBeCloseTo(0.5, 12)
  })

  it("is the product over the tokens of the final answer alone, without the reasoning before it", () => {
    const thought = [token("5", 0.3), token("+", 0.3), token("7", 0.3), token(".\n", 0.2)]
    const said = [
      token("The", 0.9),
      token(" answer", 0.9),
      token(" is", 0.9),
      token(" 1", 0.8),
      token("2", 0.5),
      token(".", 0.4),
    ]
    const logprobs = [...thought, ...said]
    const text = logprobs.map((logprob) => logprob.token).join("")
    expect(confidenceOf({ ...answerOf(text), logprobs }, "answer")).toBeCloseTo(0.4, 12)
    // Log-probabilities of reasoning that is no part of the text come before it.
    expect(confidenceOf({ ...answerOf(text.slice(6)), logprobs }, "answer")).toBeCloseTo(0.4, 12)
    expect(confidenceOf({ ...twoTokens, text: "x y" }, "answer")).toBeCloseTo(0.4, 12)
    expect(confidenceOf({ ...answerOf(""), logprobs: [] }, "answer")).toBeNull()
  })

  it("prefers what a row states, and uses only that where configured", () => {
    const stated = { ...twoTokens, given: { confidence: 0.9 } }
    expect(confidenceOf(stated)).toBe(0.9)
    expect(confidenceOf(stated, "product")).toBeCloseTo(0.4, 12)
    expect(confidenceOf(twoTokens, "given")).toBeNull()
  })

  it.each([
    ["Paris. Confidence: 80 %", 0.8],
    ["Paris (confidence 0.35)", 0.35],
    ["confidence: 12% … no, Confidence: 95 percent", 0.95],
    ["I am 70% sure it is Paris", 0.7],
    ["Certainty = 100", 1],
    ["Vertrauen: hoch", null],
    ["confidence: 250 %", null],
  ])("reads a verbalised statement: %s", (text, expected) => {
    expect(confidenceOf(answerOf(text), "verbalised")).toBe(expected)
  })

  it("takes a function, whose result must be in 0..1", () => {
    expect(confidenceOf(twoTokens, () => 0.25)).toBe(0.25)
    expect(confidenceOf(twoTokens, () => 7)).toBeNull()
    expect(confidenceOf(answerOf("x"))).toBeNull()
  })
})

describe("choiceDistribution", () => {
  const sample = sampleOf(["B"], { choices: ["Rome", "Paris", "Bern"] })
  const answer = {
    ...answerOf("The answer is B"),
    logprobs: [token("The", 0.9), token(" B", 0.6, { " B": 0.6, " A": 0.2, " b": 0.1, " X": 0.1 })],
  }

  it("renormalises the letters of the options among the alternatives", () => {
    const { shares, chosen } = choiceDistribution(sample, answer)!
    expect(chosen).toBe(1)
    expect(shares[0]).toBeCloseTo(0.2 / 0.9, 12)
    expect(shares[1]).toBeCloseTo(0.7 / 0.9, 12)
    expect(shares[2]).toBe(0)
  })

  it("takes a stated distribution, and has none without letters or options", () => {
    const stated = { ...answerOf("A"), given: { prediction: { A: 0.5, B: 0.3, C: 0.2, Z: 9 } } }
    expect(choiceDistribution(sample, stated)?.shares).toEqual([0.5, 0.3, 0.2])
    expect(choiceDistribution(sample, answerOf("B"))).toBeNull()
    expect(choiceDistribution(sampleOf(["B"]), answer)).toBeNull()
  })

  it("finds the right option by letter or by text", () => {
    expect(rightChoice(sample)).toBe(1)
    expect(rightChoice(sampleOf(["Bern"], { choices: sample.choices }))).toBe(2)
    expect(rightChoice(sampleOf(["Oslo"], { choices: sample.choices }))).toBeNull()
  })

  it("serves as confidence", async () => {
    const measured = await expectedCalibrationError({ confidence: "choice" }).measure(
      sample,
      { ...answer, given: { correct: 1 } },
      noTools,
    )
    if (measured.status !== "scored") throw new Error(measured.reason)
    expect(measured.row.confidence).toBeCloseTo(0.7 / 0.9, 12)
    expect(expectedCalibrationError({ confidence: "choice" }).needs?.topLogprobs).toBe(20)
  })
})

describe("classwiseCalibrationError", () => {
  const entry = (shares: readonly number[], label: number) => ({ row: { shares, label }, sampleId: "s", repeat: 0 })

  it("is 0 for an undecided model that is right half of the time, and detects a preference for one letter", () => {
    const metric = classwiseCalibrationError()
    expect(metric.summarise([entry([0.5, 0.5], 0), entry([0.5, 0.5], 1)]).value).toBe(0)
    expect(metric.summarise([entry([0.9, 0.1], 0), entry([0.9, 0.1], 1)]).value).toBeCloseTo(0.4, 12)
  })

  it("refuses to mix questions with different numbers of options", () => {
    expect(classwiseCalibrationError().summarise([entry([0.5, 0.5], 0), entry([1, 0, 0], 0)])).toMatchObject({
      value: null,
      reason: expect.stringContaining("different numbers"),
    })
  })
})

describe("agreementCalibrationError", () => {
  async function rows(answers: readonly string[]) {
    const metric = agreementCalibrationError()
    return Promise.all(
      answers.map(async (answer, repeat) => {
        const measured = await metric.measure(sampleOf(["Paris"]), answerOf(answer), noTools)
        if (measured.status !== "scored") throw new Error(measured.reason)
        return { row: measured.row, sampleId: "s", repeat }
      }),
    )
  }

  it("takes the share of the most frequent answer as confidence", async () => {
    const metric = agreementCalibrationError()
    expect(metric.summarise(await rows(["Paris", "paris", "Lyon"])).value).toBeCloseTo(1 / 3, 12)
    expect(metric.summarise(await rows(["Lyon", "Paris", "lyon"])).value).toBeCloseTo(2 / 3, 12)
    expect(metric.summarise(await rows(["Paris"])).value).toBeNull()
  })

  it("does not depend on the order of the repeats", async () => {
    const metric = agreementCalibrationError()
    expect(metric.summarise(await rows(["Paris", "Lyon"]))).toEqual(metric.summarise(await rows(["Lyon", "Paris"])))
  })
})
