import type { CalibrationBin } from "./calibration-bins.ts"

/**
 * Probabilities are held one rounding step of 64-bit floats from 0 and 1 in logarithms, as scikit-learn does: a certain wrong answer costs 36 nats.
 */
export const logarithmFloor = Number.EPSILON

/** Squared distance between a confidence and the truth (0 or 1) [Brier 1950]. 0 is perfect, 1 the worst. @public */
export function squaredError(confidence: number, correct: number): number {
  return (confidence - correct) ** 2
}

/** Brier score over all classes: Σ (p_k − y_k)², y being 1 for the true class. 0 is perfect, 2 the worst. */
export function classesSquaredError(probabilities: ArrayLike<number>, label: number): number {
  let sum = 0
  for (let k = 0; k < probabilities.length; k++) sum += squaredError(probabilities[k] as number, Number(k === label))
  return sum
}

/** Negative natural logarithm of the probability that was given to what happened, in nats. 0 is perfect. @public */
export function logLoss(confidence: number, correct: number): number {
  const p = Math.min(1 - logarithmFloor, Math.max(logarithmFloor, confidence))
  return -(correct * Math.log(p) + (1 - correct) * Math.log1p(-p))
}

/**
 * Murphy's decomposition of the Brier score over bins [Murphy 1973]: reliability (lower is better) − resolution (higher is
 * better) + uncertainty (the data's own). Exact up to the spread of confidences inside a bin.
 * @public
 */
export function brierDecomposition(bins: readonly CalibrationBin[]): {
  readonly reliability: number
  readonly resolution: number
  readonly uncertainty: number
} {
  const n = bins.reduce((sum, bin) => sum + bin.n, 0)
  const base = bins.reduce((sum, bin) => sum + bin.n * bin.accuracy, 0) / n
  const share = (term: (bin: CalibrationBin) => number) => bins.reduce((sum, bin) => sum + bin.n * term(bin), 0) / n
  return {
    reliability: share((bin) => (bin.confidence - bin.accuracy) ** 2),
    resolution: share((bin) => (bin.accuracy - base) ** 2),
    uncertainty: base * (1 - base),
  }
}
