import { normalQuantile } from "../distributions.ts"
import { type Bounds, clopperPearsonInterval } from "./proportion-interval.ts"

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

/** Where more pairs than this were lost, won and unchanged each, a score is as good as exact: up to 5.1 % where 5 is stated. */
const manyPairs = 12
/** What of alpha is spent on leaving out rates of changes that the changes seen exclude. */
const excludedShare = 1e-3
/** A probability that adds nothing. */
const negligible = 1e-18

/**
 * Lower bound of the difference of two paired rates, (won − lost) / n, at level 1 − alpha: Tango's, or the lower one at which the exact
 * probability of as good a result, at the worst rate of changes, is no more than alpha. Tango's own bound is passed by chance in 6 to
 * 7.8 % where nearly all changes are losses and few are expected, and where nearly all pairs change.
 *
 * @param lost pairs right→wrong, a whole number
 * @param won pairs wrong→right, a whole number
 * @param n all pairs
 * @public
 */
export function exactPairedLowerBound(lost: number, won: number, n: number, alpha = 0.05): number {
  const tango = tangoInterval(lost, won, n, 2 * alpha).low
  const excludes = exactTest(lost, won, n, alpha)
  if (excludes(tango)) return tango
  let [low, high] = [Math.max(-1, 2 * tango - (won - lost) / n), tango]
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2
    if (excludes(middle)) low = middle
    else high = middle
  }
  return low
}

/** Whether {@link exactPairedLowerBound} lies above `at`, without a search for it. */
export function pairedRateLiesAbove(lost: number, won: number, n: number, at: number, alpha: number): boolean {
  return tangoInterval(lost, won, n, 2 * alpha).low > at && exactTest(lost, won, n, alpha)(at)
}

/** Whether differences that Tango's bound excludes are excluded by the exact error, too. */
function exactTest(lost: number, won: number, n: number, alpha: number): (difference: number) => boolean {
  if (Math.min(lost, won, n - lost - won) > manyPairs) return () => true
  const rates = clopperPearsonInterval(lost + won, n, excludedShare * alpha)
  return (difference) => pairedScoreP(lost, won, n, { difference, alpha, rates }) <= alpha
}

/**
 * One-sided exact p of the hypothesis that the difference is at most `difference`: the probability of a score as high as that of these
 * counts [Chan & Zhang 1999, "Test-based exact confidence intervals for the difference of two binomial proportions", by Tango's
 * score], at the rate of changes at which it is highest, of those that the changes seen do not exclude; the risk of excluding the true
 * one is added [Berger & Boos 1994, "P values maximized over a confidence set for the nuisance parameter"]. The rates that are looked at lie a
 * standard error apart. A p above `alpha` need not be found out.
 */
function pairedScoreP(
  lost: number,
  won: number,
  n: number,
  { difference, alpha, rates }: { readonly difference: number; readonly alpha: number; readonly rates: Bounds },
): number {
  const seen = tangoScore(lost, won, n, difference) - 1e-9
  const risk = excludedShare * alpha
  // Of so many changes, so many gains are as good a result.
  const fewest: number[] = []
  const minGains = (changes: number) => {
    fewest[changes] ??= leastWhole(changes, (gains) => tangoScore(changes - gains, gains, n, difference) >= seen)
    return fewest[changes]
  }
  // Rates whose standard errors are equal lie equally far apart by their angles, a standard error being 1 / (2√n).
  const angle = (rate: number) => Math.asin(Math.sqrt(Math.max(rate, Math.abs(difference))))
  const [from, to] = [angle(rates.low), angle(rates.high)]
  const steps = Math.ceil((to - from) * 2 * Math.sqrt(n))
  let worst = 0
  for (let step = 0; step <= steps && worst + risk <= alpha; step++) {
    const rate = Math.sin(from + ((to - from) * step) / Math.max(1, steps)) ** 2
    worst = Math.max(worst, asGoodProbability(n, rate, difference, minGains))
  }
  return worst + risk
}

/** P(gains ≥ minGains(changes)) of n pairs that change at this rate and differ by `difference`. */
function asGoodProbability(n: number, rate: number, difference: number, minGains: (changes: number) => number): number {
  const gainShare = rate > 0 ? Math.min(1, Math.max(0, (1 + difference / rate) / 2)) : 0
  const mode = Math.min(n, Math.floor((n + 1) * rate))
  const atMode = binomialPmf(mode, n, rate)
  const odds = rate / (1 - rate)
  let total = 0
  for (let [changes, chance] = [mode, atMode]; changes <= n && chance > negligible; changes++) {
    total += chance * binomialTail(minGains(changes), changes, gainShare)
    chance *= ((n - changes) / (changes + 1)) * odds
  }
  for (let [changes, chance] = [mode, atMode]; changes > 0 && chance > negligible; ) {
    chance *= changes / (n - changes + 1) / odds
    changes--
    total += chance * binomialTail(minGains(changes), changes, gainShare)
  }
  return total
}

/** P(X ≥ k) of n with this rate, summed from k away from the mode. */
function binomialTail(k: number, n: number, rate: number): number {
  if (k > n || k <= 0) return Number(k <= 0)
  if (rate <= 0 || rate >= 1) return Number(rate >= 1)
  const isAbove = k > n * rate
  const odds = rate / (1 - rate)
  let at = isAbove ? k : k - 1
  let chance = binomialPmf(at, n, rate)
  let total = 0
  while (chance > negligible && at >= 0 && at <= n) {
    total += chance
    chance *= isAbove ? ((n - at) / (at + 1)) * odds : at / (n - at + 1) / odds
    at += isAbove ? 1 : -1
  }
  return isAbove ? total : 1 - total
}

function binomialPmf(k: number, n: number, rate: number): number {
  if (rate <= 0 || rate >= 1) return Number(k === (rate >= 1 ? n : 0))
  const ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k)
  return Math.exp(ways + k * Math.log(rate) + (n - k) * Math.log1p(-rate))
}

const logFactorials = [0]

function logFactorial(n: number): number {
  for (let k = logFactorials.length; k <= n; k++) logFactorials.push((logFactorials[k - 1] as number) + Math.log(k))
  return logFactorials[n] as number
}

/** The least whole number up to `most` from which on a condition holds; `most` + 1 where it holds for none. */
function leastWhole(max: number, holds: (value: number) => boolean): number {
  let [low, high] = [0, max + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
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
