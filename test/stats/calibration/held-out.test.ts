import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { heldOutRecalibration } from "../../../src/stats/calibration/held-out.ts"
import { imagePredictions, referenceData } from "../../metrics/calibration/calibration-fixtures.ts"

const methods = ["temperature", "platt", "isotonic"] as const

/** Answers that claim `sharpness` times the log-odds that they have. */
function answers(n: number, sharpness: number) {
  const random = createRandom(11)
  const odds = Array.from({ length: n }, () => random.normal() + 0.5)
  return {
    confidence: odds.map((z) => 1 / (1 + Math.exp(-sharpness * z))),
    correct: odds.map((z) => Number(random.next() < 1 / (1 + Math.exp(-z)))),
    keys: odds.map((_, i) => `s${i}`),
  }
}

describe("heldOutRecalibration", () => {
  it.each(methods)("%s helps answers that claim too much, on the half that it was not fitted on", (method) => {
    const { confidence, correct, keys } = answers(2000, 3)
    const recalibration = heldOutRecalibration(confidence, correct, keys, method, 1)!
    expect(recalibration).toMatchObject({ fittedOn: 1000, shownOn: 1000, improves: true })
    expect(recalibration.errorAfter).toBeLessThan(recalibration.errorBefore / 2)
  })

  it("does not claim to help where nothing is wrong", () => {
    const { confidence, correct, keys } = answers(2000, 1)
    const recalibration = heldOutRecalibration(confidence, correct, keys, "temperature", 1)!
    expect(Math.abs(recalibration.lossAfter - recalibration.lossBefore)).toBeLessThan(0.005)
    expect(recalibration.improves).toBe(recalibration.lossAfter < recalibration.lossBefore)
  })

  it("keeps a sample on one side and does not depend on the order of the answers", () => {
    const { confidence, correct } = answers(400, 2)
    const keys = confidence.map((_, i) => `s${Math.floor(i / 4)}`)
    const recalibration = heldOutRecalibration(confidence, correct, keys, "platt", 3)!
    expect(recalibration.fittedOn % 4).toBe(0)
    const turned = heldOutRecalibration(confidence.toReversed(), correct.toReversed(), keys.toReversed(), "platt", 3)!
    expect(turned.lossAfter).toBeCloseTo(recalibration.lossAfter, 9)
  })

  it("is null where all answers are right", () => {
    expect(heldOutRecalibration([0.9, 0.8, 0.7, 0.6], [1, 1, 1, 1], ["a", "b", "c", "d"], "platt", 1)).toBeNull()
  })

  it.skipIf(!referenceData)("temperature scaling mends a DenseNet on CIFAR-100", () => {
    const predictions = imagePredictions("densenet-bc-100-cifar-100")
    if (!predictions) throw new Error("the predictions are not in EVALKIT_REFERENCE_DATA")
    const { confidence, correct } = predictions
    const keys = confidence.map((_, i) => `s${i}`)
    const recalibration = heldOutRecalibration(confidence, correct, keys, "temperature", 1)!
    expect(recalibration.errorBefore).toBeGreaterThan(0.13)
    expect(recalibration.errorAfter).toBeLessThan(recalibration.errorBefore / 2)
    expect(recalibration.improves).toBe(true)
  })
})
