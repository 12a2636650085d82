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

/** Where more pairs than this were lost, and won, a score is as good as exact. */
const manyChanges = 12
/** Expected pairs of the rarer kind, at which the error of a bound is looked at: where counts are small, and a step of one is large. */
const rareCounts = [0, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4.5, 7, 10, 15]

/**
 * Lower bound of the difference of two paired rates, (won − lost) / n, at level 1 − alpha: Tango's, or the lower one at which the exact
 * probability of as good a result, at the worst rate of changes, is no more than alpha. Tango's own bound is passed by chance in 6.6 to
 * 7.8 % where nearly all changes are losses and few are expected.
 *
 * @param lost pairs right→wrong, a whole number
 * @param won pairs wrong→right, a whole number
 * @param n all pairs
 * @public
 */
export function exactPairedLowerBound(lost: number, won: number, n: number, alpha = 0.05): number {
  const tango = tangoInterval(lost, won, n, 2 * alpha).low
  if (Math.min(lost, won) > manyChanges || pairedScoreP(lost, won, n, tango, alpha) <= alpha) return tango
  let [low, high] = [Math.max(-1, 2 * tango - (won - lost) / n), tango]
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2
    if (pairedScoreP(lost, won, n, middle, alpha) <= alpha) low = middle
    else high = middle
  }
  return low
}

/**
 * One-sided exact p of the hypothesis that the difference is at most `difference`: the probability of a score as high as that of these
 * counts, at the rate of changes at which it is highest, of those up to 15 expected pairs of the rarer kind [Chan & Zhang 1999, "Test-based exact confidence intervals for the difference of
 * two binomial proportions", by Tango's score].
 *
 * @param enough a p above this need not be found out
 */
export function pairedScoreP(lost: number, won: number, n: number, difference: number, enough = 1): number {
  const seen = tangoScore(lost, won, n, difference) - 1e-9
  // For so many gains, this many losses are as good a result.
  const maxLost: number[] = []
  const allowed = (gains: number) => {
    for (let c = maxLost.length; c <= gains; c++) {
      let b = maxLost[c - 1] ?? -1
      while (b + 1 + c <= n && tangoScore(b + 1, c, n, difference) >= seen) b++
      maxLost.push(b)
    }
    return maxLost[gains] as number
  }
  let worst = 0
  for (const rare of rareCounts) {
    const gain = rare / n + Math.max(0, difference)
    const loss = rare / n + Math.max(0, -difference)
    if (gain + loss > 1 || worst > enough) break
    worst = Math.max(worst, regionProbability(n, gain, loss, allowed))
  }
  return worst
}

/** P(losses ≤ allowed(gains)) of n pairs that are won, lost and unchanged at these rates. */
function regionProbability(n: number, gain: number, loss: number, allowed: (gains: number) => number): number {
  const most = Math.min(n, Math.ceil(n * gain + 6 * Math.sqrt(n * gain) + 6))
  const odds = loss / Math.max(1e-300, 1 - gain - loss)
  let total = 0
  let gains = n * Math.log1p(-gain)
  for (let c = 0; c <= most; c++) {
    let one = Math.exp(gains + (n - c) * Math.log1p(-loss / (1 - gain)))
    const limit = allowed(c)
    for (let b = 0; b <= limit; b++) {
      total += one
      one *= ((n - c - b) / (b + 1)) * odds
    }
    if (gain === 0) break
    gains += Math.log((n - c) / (c + 1)) + Math.log(gain / (1 - gain))
  }
  return total
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
