import { mean, standardDeviation } from "../mean.ts"

/**
 * Cohen's d of paired differences: their mean in units of their standard deviation; NaN when nothing varies.
 * @public
 */
export function pairedCohensD(differences: ArrayLike<number>): number {
  const deviation = standardDeviation(differences)
  return deviation === 0 ? Number.NaN : mean(differences) / deviation
}
