import { describe, expect, it } from "vitest"
import { adaptiveCalibrationError } from "../../../metrics/calibration/adaptive-calibration-error.ts"
import { auroc } from "../../../metrics/calibration/auroc.ts"
import { brier } from "../../../metrics/calibration/brier.ts"
import { debiasedCalibrationError } from "../../../metrics/calibration/debiased-calibration-error.ts"
import { maximumCalibrationError } from "../../../metrics/calibration/maximum-calibration-error.ts"
import { negativeLogLikelihood } from "../../../metrics/calibration/negative-log-likelihood.ts"
import { riskCoverage } from "../../../metrics/calibration/risk-coverage.ts"
import { equalWidthBins } from "../../../src/stats/calibration/calibration-bins.ts"
import {
  averageGap,
  expectedGap,
  maximumGap,
  rootMeanSquareGap,
} from "../../../src/stats/calibration/calibration-gap.ts"
import { fitIsotonic, isotonicAt } from "../../../src/stats/calibration/isotonic-regression.ts"
import { selectiveAccuracy } from "../../../src/stats/calibration/ranking.ts"
import { at, confidenceSets, figureOf } from "./calibration-fixtures.ts"

const near = (got: number | null, want: number) => expect(Math.abs(got! - want)).toBeLessThan(1e-9)

describe.each(confidenceSets)("on $id", ({ inputs, expected }) => {
  const twoSided = inputs.correct.includes(0) && inputs.correct.includes(1)
  const distinct = new Set(inputs.confidence).size === inputs.confidence.length

  // Guo's bins leave a confidence of 0 out; ours count it in the first.
  const guoBins = inputs.confidence.includes(0) ? [] : [5, 10, 15, 20]
  it.each(guoBins)("the maximum error over %i bins equals Guo's", async (bins) => {
    near((await figureOf(maximumCalibrationError({ bins }), inputs)).value, at(expected, `guo${bins}`, "mce"))
  })

  it.each([5, 10, 15, 20])(
    "the debiased and the plain L2 error over %i bins equal verified_calibration's",
    async (bins) => {
      const mass = await figureOf(debiasedCalibrationError({ bins }), inputs)
      near(mass.value, at(expected, `vc_l2_debiased_equalmass${bins}`))
      near((mass.details as { plugin: number }).plugin, at(expected, `vc_l2_plugin_equalmass${bins}`))
      const width = await figureOf(debiasedCalibrationError({ bins, scheme: "width" }), inputs)
      near(width.value, at(expected, `vc_l2_debiased_equalwidth${bins}`))
    },
  )

  // Bins of torchmetrics and netcal are closed on the left: they differ where a confidence lies on an edge.
  const onEdge = (bins: number) => inputs.confidence.some((p) => Math.abs(p * bins - Math.round(p * bins)) < 1e-9)
  it.each([5, 10, 15, 20].filter((bins) => !onEdge(bins)))(
    "mean, root mean square, largest and average gap over %i bins equal torchmetrics' and netcal's",
    (bins) => {
      const cut = equalWidthBins(inputs.confidence, inputs.correct, bins)
      near(expectedGap(cut), at(expected, `torchmetrics${bins}`, "l1"))
      near(rootMeanSquareGap(cut), at(expected, `torchmetrics${bins}`, "l2"))
      near(maximumGap(cut), at(expected, `torchmetrics${bins}`, "max"))
      near(expectedGap(cut), at(expected, `netcal${bins}`, "ece"))
      near(maximumGap(cut), at(expected, `netcal${bins}`, "mce"))
      near(averageGap(cut), at(expected, `netcal${bins}`, "ace"))
    },
  )

  // verified_calibration gives a confidence on an edge to the lower bin, as we do.
  it.each([5, 10, 15, 20])("the expected gap over %i bins equals verified_calibration's", (bins) => {
    near(expectedGap(equalWidthBins(inputs.confidence, inputs.correct, bins)), at(expected, `vc_ece${bins}`))
  })

  it.each(onEdge(10) ? [] : [10])("the reliability curve over %i bins equals scikit-learn's", (count) => {
    const [right, claimed] = expected.sk_curve10_uniform as [number[], number[]]
    const bins = equalWidthBins(inputs.confidence, inputs.correct, count)
    expect(bins).toHaveLength(right.length)
    bins.forEach((bin, i) => {
      near(bin.accuracy, right[i]!)
      near(bin.confidence, claimed[i]!)
    })
  })

  it("the Brier score and the log loss equal scikit-learn's", async () => {
    near((await figureOf(brier(), inputs)).value, at(expected, "sk_brier"))
    near((await figureOf(brier(), inputs)).value, at(expected, "brier"))
    near((await figureOf(negativeLogLikelihood(), inputs)).value, at(expected, "nll"))
  })

  it("the area under the ROC curve and the average precision equal scikit-learn's", async () => {
    const { value, details } = await figureOf(auroc(), inputs)
    if (twoSided) near(value, at(expected, "auroc"))
    else expect(value).toBeNull()
    near((details as { averagePrecision: number }).averagePrecision, at(expected, "ap"))
  })

  // The reference takes tied confidences in an arbitrary order; ours is the expectation over all orders.
  it.each(distinct ? [1] : [])("%i minus the mean selective accuracy is the risk–coverage area", async () => {
    const [mean, above] = expected.selective as [number, number]
    near((await figureOf(riskCoverage(), inputs)).value, 1 - mean)
    const accuracy = selectiveAccuracy(inputs.confidence, inputs.correct)
    near(accuracy[Math.floor(inputs.confidence.length / 10)]!, above)
  })

  it("isotonic regression equals scikit-learn's", () => {
    const fit = fitIsotonic(inputs.confidence, inputs.correct)
    const reference = expected.isotonic_fit as number[]
    inputs.confidence.forEach((confidence, i) => {
      near(isotonicAt(fit, confidence), reference[i]!)
    })
  })
})

describe("the calibration family", () => {
  it("has the values of its examples", async () => {
    const pair = { confidence: [0.9, 0.6], correct: [1, 0] }
    near((await figureOf(brier(), pair)).value, 0.185)
    near((await figureOf(negativeLogLikelihood(), pair)).value, -(Math.log(0.9) + Math.log(0.4)) / 2)
    near((await figureOf(auroc(), { confidence: [0.9, 0.5, 0.6], correct: [1, 1, 0] })).value, 0.5)
    near(
      (await figureOf(riskCoverage(), { confidence: [0.9, 0.6, 0.5], correct: [1, 0, 1] })).value,
      (0 + 1 / 2 + 1 / 3) / 3,
    )
    near(
      (await figureOf(adaptiveCalibrationError({ bins: 2 }), { confidence: [0.9, 0.8], correct: [1, 1] })).value,
      0.15,
    )
  })

  it("splits the Brier score into parts that add up where a bin holds one confidence", async () => {
    const { value, details } = await figureOf(brier(), {
      confidence: [0.15, 0.15, 0.75, 0.75, 0.75],
      correct: [0, 1, 1, 1, 0],
    })
    const { reliability, resolution, uncertainty } = details as Record<string, number>
    near(value, reliability! - resolution! + uncertainty!)
  })

  it("does not depend on the order of rows with equal confidence", () => {
    expect(selectiveAccuracy([0.5, 0.5, 0.5], [1, 0, 1])).toEqual(selectiveAccuracy([0.5, 0.5, 0.5], [0, 1, 1]))
  })
})
