import { logit, sigmoid } from "../regression/logistic-regression.ts"
import { logarithmFloor, logLoss } from "./scoring-rules.ts"

/** A map from stated confidence to calibrated confidence: sigmoid(slope · logit(confidence) + offset). */
export interface ConfidenceScaling {
  readonly slope: number
  readonly offset: number
}

/** The confidence behind a scaling, 0..1. */
export function scaleConfidence(confidence: number, { slope, offset }: ConfidenceScaling): number {
  return sigmoid(slope * heldLogit(confidence) + offset)
}

/** Mean log loss of confidences, in nats. @public */
export function meanLogLoss(confidence: ArrayLike<number>, correct: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < confidence.length; i++) sum += logLoss(confidence[i] as number, correct[i] as number)
  return sum / confidence.length
}

/**
 * Fits a scaling of confidences by least log loss: `temperature` fits the slope (1/T) alone, `platt` slope and offset
 * [Platt 1999]. Newton's method with halved steps on a loss that is convex; a ridge of 1e-9 keeps separable data finite.
 *
 * @param confidence stated confidences, 0..1
 * @param correct 0 or 1
 */
export function fitConfidenceScaling(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  method: "temperature" | "platt",
): ConfidenceScaling {
  const x = Float64Array.from(confidence, heldLogit)
  const ridge = 1e-9
  const loss = (slope: number, offset: number) => {
    let sum = ridge * (slope * slope + offset * offset)
    for (let i = 0; i < x.length; i++) {
      const z = slope * (x[i] as number) + offset
      sum += softplus(z) - (correct[i] as number) * z
    }
    return sum
  }
  let slope = 1
  let offset = 0
  for (let step = 0; step < 100; step++) {
    let [g0, g1, h00, h01, h11] = [2 * ridge * slope, 2 * ridge * offset, 2 * ridge, 0, 2 * ridge]
    for (let i = 0; i < x.length; i++) {
      const xi = x[i] as number
      const p = sigmoid(slope * xi + offset)
      const weight = p * (1 - p)
      g0 += (p - (correct[i] as number)) * xi
      g1 += p - (correct[i] as number)
      h00 += weight * xi * xi
      h01 += weight * xi
      h11 += weight
    }
    const determinant = h00 * h11 - h01 * h01
    const [d0, d1] =
      method === "temperature" || !(determinant > 0)
        ? [g0 / h00, 0]
        : [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant]
    const now = loss(slope, offset)
    let size = 1
    while (size > 1e-10 && !(loss(slope - size * d0, offset - size * d1) <= now)) size /= 2
    slope -= size * d0
    offset -= size * d1
    if (Math.abs(size * d0) + Math.abs(size * d1) < 1e-12) break
  }
  return { slope, offset }
}

function heldLogit(p: number): number {
  return logit(Math.min(1 - logarithmFloor, Math.max(logarithmFloor, p)))
}

function softplus(z: number): number {
  return Math.max(0, z) + Math.log1p(Math.exp(-Math.abs(z)))
}
