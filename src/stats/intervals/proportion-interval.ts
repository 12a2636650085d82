import { betaQuantile, normalQuantile } from "../distributions.ts"

/** A lower and an upper bound. @public */
export interface Bounds {
  readonly low: number
  readonly high: number
}

/**
 * Wilson's score interval of a rate: never degenerate, inside 0..1, and close to its nominal coverage from n = 5 on.
 * Wilson 1927. `successes` may be fractional (a mean of scores in 0..1 over an effective n).
 *
 * @example wilsonInterval(5, 5) // { low: 0.5655, high: 1 }
 * @public
 */
export function wilsonInterval(successes: number, n: number, alpha = 0.05): Bounds {
  const z = normalQuantile(1 - alpha / 2)
  const rate = successes / n
  const centre = (rate + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n))
  return { low: successes <= 0 ? 0 : Math.max(0, centre - half), high: successes >= n ? 1 : Math.min(1, centre + half) }
}

/**
 * Clopper and Pearson's exact interval of a rate: coverage at least 1 − alpha for every rate, and wider for it.
 * @public
 */
export function clopperPearsonInterval(successes: number, n: number, alpha = 0.05): Bounds {
  return {
    low: successes === 0 ? 0 : betaQuantile(alpha / 2, successes, n - successes + 1),
    high: successes === n ? 1 : betaQuantile(1 - alpha / 2, successes + 1, n - successes),
  }
}

/** Jeffreys' interval of a rate: quantiles of the posterior under the prior beta(½, ½). @public */
export function jeffreysInterval(successes: number, n: number, alpha = 0.05): Bounds {
  return {
    low: betaQuantile(alpha / 2, successes + 0.5, n - successes + 0.5),
    high: betaQuantile(1 - alpha / 2, successes + 0.5, n - successes + 0.5),
  }
}

/** Agresti and Coull's interval of a rate: the normal one after adding z²/2 successes and failures. @public */
export function agrestiCoullInterval(successes: number, n: number, alpha = 0.05): Bounds {
  const z = normalQuantile(1 - alpha / 2)
  const total = n + z * z
  const centre = (successes + (z * z) / 2) / total
  const half = z * Math.sqrt((centre * (1 - centre)) / total)
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

/**
 * The textbook's normal interval, rate ± z·√(rate (1 − rate) / n), cut at 0 and 1. Too short near both ends: for comparison only.
 * @public
 */
export function waldInterval(successes: number, n: number, alpha = 0.05): Bounds {
  const rate = successes / n
  const half = normalQuantile(1 - alpha / 2) * Math.sqrt((rate * (1 - rate)) / n)
  return { low: Math.max(0, rate - half), high: Math.min(1, rate + half) }
}
