import { createRandom } from "../../core/random.ts"
import { meanInterval } from "../intervals/mean-interval.ts"
import { byText } from "../order.ts"
import { equalWidthBins } from "./calibration-bins.ts"
import { expectedGap } from "./calibration-gap.ts"
import { fitIsotonic, isotonicAt } from "./isotonic-regression.ts"
import { type ConfidenceScaling, fitConfidenceScaling, meanLogLoss, scaleConfidence } from "./platt-scaling.ts"
import { logLoss } from "./scoring-rules.ts"

/** Methods of recalibration, from the fewest fitted parameters to the most. */
export type RecalibrationMethod = "temperature" | "platt" | "isotonic"

/** What recalibration does to answers that it was not fitted on. */
export interface HeldOutRecalibration {
  readonly method: RecalibrationMethod
  readonly fittedOn: number
  readonly shownOn: number
  /** Mean negative log-likelihood, nats. */
  readonly lossBefore: number
  readonly lossAfter: number
  /** Expected calibration error over 15 bins of equal width. */
  readonly errorBefore: number
  readonly errorAfter: number
  /** Whether it lowers the loss. */
  readonly improves: boolean
  /** Change of the loss (after − before) with its 95 % interval over units; null bounds for a single unit. */
  readonly change: { readonly value: number; readonly low: number | null; readonly high: number | null }
  /** Null for isotonic regression, which has no such form. */
  readonly scaling: ConfidenceScaling | null
}

const bins = 15

/**
 * Fits a recalibration on a random half of the units and shows what it does to the other half: what is fitted and shown on
 * the same answers always seems to help. Null where the half to fit on does not hold both right and wrong answers.
 *
 * @param keys unit of each answer (its sample): a unit is never on both sides
 */
export function heldOutRecalibration(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  keys: readonly string[],
  method: RecalibrationMethod,
  seed: number | string,
): HeldOutRecalibration | null {
  const units = [...new Set(keys)].sort(byText)
  const chosen = new Set(
    createRandom(`${seed}/recalibration`)
      .shuffle(units)
      .slice(0, Math.floor(units.length / 2)),
  )
  const part = (fitted: boolean) => {
    const positions = keys.flatMap((key, i) => (chosen.has(key) === fitted ? [i] : []))
    return {
      confidence: Float64Array.from(positions, (i) => confidence[i] as number),
      correct: Float64Array.from(positions, (i) => correct[i] as number),
      keys: positions.map((i) => keys[i] as string),
    }
  }
  const [fit, shown] = [part(true), part(false)]
  if (!fit.correct.includes(0) || !fit.correct.includes(1) || shown.correct.length === 0) return null
  const { recalibrate, scaling } = fitted(fit.confidence, fit.correct, method)
  const after = shown.confidence.map(recalibrate)
  const lossBefore = meanLogLoss(shown.confidence, shown.correct)
  const lossAfter = meanLogLoss(after, shown.correct)
  return {
    method,
    fittedOn: fit.correct.length,
    shownOn: shown.correct.length,
    lossBefore,
    lossAfter,
    errorBefore: expectedGap(equalWidthBins(shown.confidence, shown.correct, bins)),
    errorAfter: expectedGap(equalWidthBins(after, shown.correct, bins)),
    improves: lossAfter < lossBefore,
    change: lossChange(shown, after),
    scaling,
  }
}

function lossChange(
  shown: { readonly confidence: Float64Array; readonly correct: Float64Array; readonly keys: readonly string[] },
  after: Float64Array,
): HeldOutRecalibration["change"] {
  const changes = after.map((value, i) => {
    const truth = shown.correct[i] as number
    return logLoss(value, truth) - logLoss(shown.confidence[i] as number, truth)
  })
  const everything = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
  const { value, low, high } = meanInterval(changes, shown.keys, everything)
  return { value, low, high }
}

function fitted(confidence: Float64Array, correct: Float64Array, method: RecalibrationMethod) {
  if (method === "isotonic") {
    const fit = fitIsotonic(confidence, correct)
    return { recalibrate: (value: number) => isotonicAt(fit, value), scaling: null }
  }
  const scaling = fitConfidenceScaling(confidence, correct, method)
  return { recalibrate: (value: number) => scaleConfidence(value, scaling), scaling }
}
