import { monteCarloError } from "./monte-carlo-error.ts"

/** A p-value from random draws, and how far a repetition with another seed would typically be. */
export interface RefinedP {
  readonly p: number
  readonly draws: number
  /** Standard error of p by the draws alone. */
  readonly error: number
}

/** Standard errors within which p and alpha are too near each other to tell which is smaller. */
const tooNear = 3

/**
 * A p-value from random draws, with ten times as many wherever it lies within three of its own standard errors of alpha, as
 * long as they are not more than `most`: a decision should not hang on the seed.
 *
 * @param pOf p from so many draws
 * @example refinedP((draws) => approximateRandomization(a, b, score, random, draws), { alpha: 0.05, draws: 1000, most: 10_000 })
 */
export function refinedP(
  pOf: (draws: number) => number,
  { alpha, draws, most }: { readonly alpha: number; readonly draws: number; readonly most: number },
): RefinedP {
  for (let count = draws; ; count *= 10) {
    const p = pOf(count)
    const error = monteCarloError(p, count)
    if (Math.abs(p - alpha) > tooNear * error || count * 10 > most) return { p, draws: count, error }
  }
}

/** Whether more draws could still move p to the other side of alpha: within two standard errors of it. */
export function isNearAlpha({ p, error }: Pick<RefinedP, "p" | "error">, alpha: number): boolean {
  return error > 0 && Math.abs(p - alpha) <= 2 * error
}
