import type { Random } from "../../core/random.ts"

/**
 * A gamma variate of unit scale: squeeze of Marsaglia & Tsang 2000; shapes below 1 by the power of a uniform number. Twice a
 * variate of shape k/2 is chi-squared with k degrees.
 *
 * @param shape above 0
 */
export function gammaVariate(shape: number, random: Random): number {
  if (!(shape > 0)) throw new RangeError(`the shape of a gamma variate must be above 0, not ${shape}`)
  if (shape < 1) return gammaVariate(shape + 1, random) * (1 - random.next()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = random.normal()
    const v = (1 + c * x) ** 3
    if (v <= 0) continue
    if (Math.log(1 - random.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}
