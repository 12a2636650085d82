import { normalQuantile } from "../distributions.ts"
import type { Bounds } from "./proportion-interval.ts"

/**
 * Tango's score interval of the difference of two paired rates, (won − lost) / n. Unlike a bootstrap or Wald interval it
 * does not shrink to a point when few pairs changed: with none of n changed it is ± z² / (n + z²). Tango 1998,
 * "Equivalence test and confidence interval for the difference in proportions for the paired-sample design".
 *
 * @param lost pairs right→wrong (b)
 * @param won pairs wrong→right (c)
 * @param n all pairs
 * @public
 */
export function tangoInterval(lost: number, won: number, n: number, alpha = 0.05): Bounds {
  const z = normalQuantile(1 - alpha / 2)
  const estimate = (won - lost) / n
  // The score statistic falls as the hypothesised difference rises: bisect for ±z on each side of the estimate.
  const solve = (target: number, from: number, to: number) => {
    let low = from
    let high = to
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2
      if (tangoScore(lost, won, n, middle) > target) low = middle
      else high = middle
    }
    return (low + high) / 2
  }
  return { low: solve(z, -1, estimate), high: solve(-z, estimate, 1) }
}

/** Score statistic of the hypothesis that the difference of rates is `difference`. */
function tangoScore(lost: number, won: number, n: number, difference: number): number {
  const a = 2 * n
  const b = -won - lost + (2 * n - won + lost) * difference
  const c = -lost * difference * (1 - difference)
  const nuisance = (Math.sqrt(Math.max(0, b * b - 4 * a * c)) - b) / (2 * a)
  const spread = n * (2 * nuisance + difference * (1 - difference))
  const distance = won - lost - n * difference
  return spread <= 0 ? Math.sign(distance) * Number.POSITIVE_INFINITY : distance / Math.sqrt(spread)
}
