import { describe, expect, it } from "vitest"
import { expectedCalibrationError } from "../../../metrics/calibration/expected-calibration-error.ts"
import { createRandom } from "../../../src/core/random.ts"
import { answerOf, noTools, sampleOf } from "../lexical-fixtures.ts"
import { at, confidenceSets, figureOf, imagePredictions, referenceData, statedAnswer } from "./calibration-fixtures.ts"

const close = 1e-9

describe("expectedCalibrationError", () => {
  describe.each(confidenceSets)("on $id", ({ inputs, expected }) => {
    it.each([5, 10, 15, 20])("equals Guo's with %i bins of equal width", async (bins) => {
      const { value } = await figureOf(expectedCalibrationError({ bins }), inputs)
      expect(Math.abs(value! - at(expected, `guo${bins}`, "ece"))).toBeLessThan(close)
    })

    it.each([5, 10, 15, 20])("equals verified_calibration's with %i bins of equal mass", async (bins) => {
      const { value } = await figureOf(expectedCalibrationError({ bins, scheme: "mass" }), inputs)
      expect(Math.abs(value! - at(expected, `vc_ece_equalmass${bins}`))).toBeLessThan(close)
    })

    // Guo's bins leave a confidence of 0 out; ours count it in the first.
    it.each(inputs.confidence.includes(0) ? [] : [10])("shows the %i bins of Guo's reliability diagram", async () => {
      const { details } = await figureOf(expectedCalibrationError({ bins: 10 }), inputs)
      const { bins } = details as unknown as {
        bins: { low: number; high: number; n: number; confidence: number; accuracy: number }[]
      }
      const reference = (expected.guo10 as { bins: [number, number, number, number, number][] }).bins
      expect(bins).toHaveLength(reference.length)
      reference.forEach(([low, high, n, confidence, accuracy], i) => {
        const bin = bins[i]!
        expect(bin.n).toBe(n)
        for (const [got, want] of [
          [bin.low, low],
          [bin.high, high],
          [bin.confidence, confidence],
          [bin.accuracy, accuracy],
        ] as const) {
          expect(Math.abs(got - want)).toBeLessThan(close)
        }
      })
    })

    it("gives the same figure when rows are added up as vectors, as resampling does", async () => {
      const metric = expectedCalibrationError({ bins: 15 })
      if (metric.aggregation.kind !== "sum") throw new Error("expected a sum")
      const { size, vector, score } = metric.aggregation
      const sum = new Float64Array(size)
      const entry = new Float64Array(size)
      inputs.confidence.forEach((confidence, i) => {
        vector({ confidence, correct: inputs.correct[i]! }, entry, 0)
        entry.forEach((value, k) => {
          sum[k]! += value
        })
      })
      expect(Math.abs(score(sum) - at(expected, "guo15", "ece"))).toBeLessThan(close)
    })
  })

  it("puts a confidence of 0 into the first bin and an edge into the bin below it", async () => {
    const { details } = await figureOf(expectedCalibrationError({ bins: 2 }), {
      confidence: [0, 0.5, 1],
      correct: [0, 1, 1],
    })
    expect(details).toMatchObject({
      bins: [
        { high: 0.5, n: 2 },
        { high: 1, n: 1 },
      ],
      scheme: "width",
    })
  })

  it("warns when there are too few answers", async () => {
    expect((await figureOf(expectedCalibrationError(), { confidence: [0.9], correct: [1] })).details).toMatchObject({
      warning: "n too small: 1 answer, 100 needed",
    })
  })

  it("takes confidence from the token probabilities and correctness from exact match", async () => {
    const logprobs = [Math.log(0.5), Math.log(0.8)].map((logprob) => ({ token: "x", logprob, top: [] }))
    const measured = await expectedCalibrationError().measure(
      sampleOf(["Paris"]),
      { ...answerOf("paris."), logprobs },
      noTools,
    )
    if (measured.status !== "scored") throw new Error(measured.reason)
    expect(measured.row.confidence).toBeCloseTo(0.4, 12)
    expect(measured.row.correct).toBe(1)
  })

  it("takes correctness from a named metric where configured, and depends on it", async () => {
    const metric = expectedCalibrationError({ correct: "judge", threshold: 0.5 })
    expect(metric.dependsOn).toEqual(["judge"])
    const answer = { ...answerOf("x"), given: { confidence: 0.9 } }
    const tools = (value: number | null | undefined) => ({ ...noTools, valueOf: () => value })
    expect(await metric.measure(sampleOf([]), answer, tools(0.7))).toMatchObject({ row: { correct: 1 } })
    expect(await metric.measure(sampleOf([]), answer, tools(0.4))).toMatchObject({ row: { correct: 0 } })
    expect(await metric.measure(sampleOf([]), answer, tools(null))).toMatchObject({ status: "unscored" })
  })

  it("leaves answers without confidence or correctness unscored", async () => {
    const metric = expectedCalibrationError()
    expect(await metric.measure(sampleOf(["x"]), answerOf("x"), noTools)).toMatchObject({
      reason: expect.stringMatching(/^no_confidence/),
    })
    expect(await metric.measure(sampleOf([]), statedAnswer(1.5, 1), noTools)).toMatchObject({ status: "unscored" })
    expect(metric.summarise([])).toEqual({ value: null, reason: "nothing was scored" })
  })

  it("refuses an invalid number of bins", () => {
    expect(() => expectedCalibrationError({ bins: 0 })).toThrow(/bins must be a whole number/)
  })

  it.skipIf(!referenceData).each([
    ["wideresnet-16-4-cifar-10", 0.05372],
    ["densenet-bc-100-cifar-100", 0.14215],
    ["wideresnet-16-4-cifar-100", 0.05806],
  ])("gives the known ECE-15 of 10,000 predictions of %s", async (name, expected) => {
    const predictions = imagePredictions(name)
    if (!predictions) throw new Error(`${name} is not in EVALKIT_REFERENCE_DATA`)
    expect((await figureOf(expectedCalibrationError({ bins: 15 }), predictions)).value).toBeCloseTo(expected, 5)
  })
})

describe("the interval of expectedCalibrationError", () => {
  const random = createRandom(5)
  const make = (n: number, gap: number) => {
    const confidence = Array.from({ length: n }, () => 0.3 + 0.7 * random.next())
    return { confidence, correct: confidence.map((value) => Number(random.next() < value - gap)) }
  }

  it("contains the figure, and reaches 0 for a calibrated model although chance gaps do not", async () => {
    const { value, interval } = await figureOf(expectedCalibrationError(), make(1500, 0))
    expect(value).toBeGreaterThan(0.01)
    expect(interval!.low).toBeLessThan(0.005)
    expect(interval!.high).toBeGreaterThanOrEqual(value!)
  })

  it("contains the true gap of a model that is 0.2 too confident", async () => {
    const { interval } = await figureOf(expectedCalibrationError(), make(1500, 0.2))
    expect(interval!.low).toBeLessThan(0.2)
    expect(interval!.high).toBeGreaterThan(0.2)
    expect(interval!.low).toBeGreaterThan(0.15)
  })

  it("is left out for a single sample", async () => {
    expect((await figureOf(expectedCalibrationError(), { confidence: [0.4], correct: [1] })).interval).toBeUndefined()
  })
})
