import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { equalWidthBins } from "../../../src/stats/calibration/calibration-bins.ts"
import {
  debiasedRootMeanSquareGap,
  expectedGap,
  maximumGap,
  rootMeanSquareGap,
} from "../../../src/stats/calibration/calibration-gap.ts"
import { marginalGap } from "../../../src/stats/calibration/classwise-gap.ts"
import { fitConfidenceScaling, meanLogLoss, scaleConfidence } from "../../../src/stats/calibration/platt-scaling.ts"
import { classesSquaredError } from "../../../src/stats/calibration/scoring-rules.ts"
import { fitTemperature, softmax } from "../../../src/stats/calibration/temperature-scaling.ts"
import { at, type ReferenceFigures } from "../../metrics/calibration/calibration-fixtures.ts"
import { golden } from "../../metrics/lexical-fixtures.ts"

interface Inputs {
  readonly logits: readonly number[][]
  readonly labels: readonly number[]
}

const near = (got: number, want: number, tolerance = 1e-9) => expect(Math.abs(got - want)).toBeLessThan(tolerance)

/** Confidence of the most likely class and whether it is the true one. */
function topLabel({ logits, labels }: Inputs, temperature = 1) {
  const rows = logits.map((row) => softmax(row, temperature))
  const top = rows.map((row) => row.indexOf(Math.max(...row)))
  return {
    rows,
    confidence: rows.map((row, i) => row[top[i]!]!),
    correct: top.map((k, i) => Number(k === labels[i])),
  }
}

describe.each(golden<Inputs, ReferenceFigures>("calibration_multiclass"))("on $id", ({ inputs, expected }) => {
  const fitted = fitTemperature(inputs.logits, inputs.labels)

  it("softmax equals scipy's", () => {
    softmax(inputs.logits[0]!).forEach((value, k) => {
      near(value, (expected.softmax_row0 as number[])[k]!)
    })
  })

  it("the fitted temperature and its losses equal scipy's", () => {
    near(fitted.temperature, at(expected, "temperature"), 1e-6)
    near(fitted.lossBefore, at(expected, "nll_before"))
    near(fitted.lossAfter, at(expected, "nll_after"))
  })

  it("the calibration error before and after equals the reference", () => {
    const before = topLabel(inputs)
    const after = topLabel(inputs, at(expected, "temperature"))
    near(expectedGap(equalWidthBins(before.confidence, before.correct, 15)), at(expected, "ece15"))
    near(maximumGap(equalWidthBins(before.confidence, before.correct, 15)), at(expected, "mce15"))
    near(expectedGap(equalWidthBins(after.confidence, after.correct, 15)), at(expected, "ece15_after"))
  })

  it("the Brier score over all classes before and after equals the reference, and so does the top label's error", () => {
    const score = (rows: readonly Float64Array[]) =>
      rows.reduce((sum, row, i) => sum + classesSquaredError(row, inputs.labels[i]!), 0) / rows.length
    const before = topLabel(inputs)
    near(score(before.rows), at(expected, "brier_multiclass_sum"))
    near(score(topLabel(inputs, at(expected, "temperature")).rows), at(expected, "brier_after"))
    near(expectedGap(equalWidthBins(before.confidence, before.correct, 15)), at(expected, "vc_ece15_top"))
  })

  it("the marginal error over all classes equals verified_calibration's (ten bins of equal mass)", () => {
    const { rows } = topLabel(inputs)
    near(marginalGap(rows, inputs.labels, 10, rootMeanSquareGap), at(expected, "vc_marginal_l2_plugin"))
    near(marginalGap(rows, inputs.labels, 10, debiasedRootMeanSquareGap), at(expected, "vc_marginal_l2_debiased"))
  })
})

describe("fitConfidenceScaling", () => {
  /** Confidences that claim three times the log-odds that they have. */
  function overconfident(n: number, seed: number) {
    const random = createRandom(seed)
    const confidence = new Float64Array(n)
    const correct = new Float64Array(n)
    for (let i = 0; i < n; i++) {
      const z = random.normal() + 0.5
      correct[i] = Number(random.next() < 1 / (1 + Math.exp(-z)))
      confidence[i] = 1 / (1 + Math.exp(-3 * z))
    }
    return { confidence, correct }
  }

  it("finds the temperature that was put in, and lowers the loss of data that it has not seen", () => {
    const seen = overconfident(20_000, 1)
    const unseen = overconfident(5000, 2)
    const scaling = fitConfidenceScaling(seen.confidence, seen.correct, "temperature")
    expect(scaling.offset).toBe(0)
    expect(scaling.slope).toBeCloseTo(1 / 3, 1)
    const scaled = unseen.confidence.map((value) => scaleConfidence(value, scaling))
    expect(meanLogLoss(scaled, unseen.correct)).toBeLessThan(meanLogLoss(unseen.confidence, unseen.correct) - 0.1)
  })

  it("is never worse on its own data than leaving the confidences alone, Platt never worse than temperature", () => {
    const data = overconfident(500, 3)
    const loss = (method: "temperature" | "platt") => {
      const scaling = fitConfidenceScaling(data.confidence, data.correct, method)
      return meanLogLoss(
        data.confidence.map((value) => scaleConfidence(value, scaling)),
        data.correct,
      )
    }
    expect(loss("temperature")).toBeLessThanOrEqual(meanLogLoss(data.confidence, data.correct))
    expect(loss("platt")).toBeLessThanOrEqual(loss("temperature") + 1e-12)
  })

  it.each(["temperature", "platt"] as const)("stays finite by %s where a confidence is exactly 0 or 1", (method) => {
    const scaling = fitConfidenceScaling([0, 0.3, 0.9, 1, 1], [0, 1, 1, 0, 1], method)
    expect([Number.isFinite(scaling.slope), Number.isFinite(scaling.offset)]).toEqual([true, true])
    expect(scaleConfidence(1, scaling)).toBeLessThanOrEqual(1)
  })

  it("stays finite where right and wrong can be told apart perfectly", () => {
    const scaling = fitConfidenceScaling([0.2, 0.3, 0.8, 0.9], [0, 0, 1, 1], "platt")
    expect(Number.isFinite(scaling.slope) && Number.isFinite(scaling.offset)).toBe(true)
    expect(scaleConfidence(0.9, scaling)).toBeGreaterThan(0.99)
  })
})
