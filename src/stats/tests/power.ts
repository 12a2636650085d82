import { normalCdf, normalQuantile } from "../distributions.ts"

/** Probability with which a planned test should find a true difference. @public */
export const defaultPower = 0.8

/**
 * Samples that a two-sided paired test needs to find a difference: n = (z_{1−α/2} + z_power)² · σ_d² / δ², from the
 * standard deviation of one sample's paired difference. Not rounded.
 * @public
 */
export function samplesForDifference(
  deviation: number,
  difference: number,
  alpha = 0.05,
  power = defaultPower,
): number {
  return ((normalQuantile(1 - alpha / 2) + normalQuantile(power)) * (deviation / difference)) ** 2
}

/**
 * Samples that settle a one-sided bound at `distance` from the true difference: z_{1−α} in place of z_{1−α/2}.
 * @public
 */
export function samplesForMargin(deviation: number, distance: number, alpha = 0.05, power = defaultPower): number {
  return ((normalQuantile(1 - alpha) + normalQuantile(power)) * (deviation / distance)) ** 2
}

/**
 * Smallest true difference that a two-sided test finds with the given power, from the difference's standard error.
 * @public
 */
export function minimumDetectableEffect(error: number, alpha = 0.05, power = defaultPower): number {
  return (normalQuantile(1 - alpha / 2) + normalQuantile(power)) * error
}

/**
 * Power of a two-sided normal test against a true difference, from the standard error of the difference; 0..1.
 * @public
 */
export function powerOfDifference(difference: number, error: number, alpha = 0.05): number {
  const z = normalQuantile(1 - alpha / 2)
  const shift = Math.abs(difference) / error
  return normalCdf(shift - z) + normalCdf(-shift - z)
}
