import { createRequire } from "node:module"

/**
 * Distribution functions of @stdlib, wrapped once. The packages are CommonJS and take 0.2 s to load together, so each is
 * required at its first use: importing evalkit costs nothing.
 */
const require = createRequire(import.meta.url)

type NumberFunction = (...parameters: number[]) => number

function lazy(load: () => unknown): NumberFunction {
  let loaded: NumberFunction | undefined
  return (...parameters) => {
    loaded ??= load() as NumberFunction
    return loaded(...parameters)
  }
}

const stdNormalCdf = lazy(() => require("@stdlib/stats-base-dists-normal-cdf"))
const stdNormalQuantile = lazy(() => require("@stdlib/stats-base-dists-normal-quantile"))
const stdStudentCdf = lazy(() => require("@stdlib/stats-base-dists-t-cdf"))
const stdStudentQuantile = lazy(() => require("@stdlib/stats-base-dists-t-quantile"))
const stdChiSquareCdf = lazy(() => require("@stdlib/stats-base-dists-chisquare-cdf"))
const stdChiSquareQuantile = lazy(() => require("@stdlib/stats-base-dists-chisquare-quantile"))
const stdBetaCdf = lazy(() => require("@stdlib/stats-base-dists-beta-cdf"))
const stdBetaQuantile = lazy(() => require("@stdlib/stats-base-dists-beta-quantile"))
const stdBinomialCdf = lazy(() => require("@stdlib/stats-base-dists-binomial-cdf"))
const stdErf = lazy(() => require("@stdlib/math-base-special-erf"))
const stdLogGamma = lazy(() => require("@stdlib/math-base-special-gammaln"))
const stdDigamma = lazy(() => require("@stdlib/math-base-special-digamma"))

/** Density of the standard normal distribution at x. @public */
export function normalPdf(x: number): number {
  return Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI)
}

/** P(Z ≤ x) of the standard normal distribution. @public */
export function normalCdf(x: number): number {
  return stdNormalCdf(x, 0, 1)
}

/**
 * The z with P(Z ≤ z) = probability; ±Infinity at 0 and 1. @stdlib's value is polished by one Halley step, which takes
 * its error in the tails from 5e-12 to the last digit.
 *
 * @example normalQuantile(0.975) // 1.959963984540054
 * @public
 */
export function normalQuantile(probability: number): number {
  const start = stdNormalQuantile(probability, 0, 1)
  if (!Number.isFinite(start)) return start
  const error = start < 0 ? normalCdf(start) - probability : 1 - probability - normalCdf(-start)
  const step = error / normalPdf(start)
  return start - step / (1 + (start * step) / 2)
}

/** P(T ≤ t) of Student's t with `degrees` of freedom. @public */
export function studentCdf(t: number, degrees: number): number {
  return stdStudentCdf(t, degrees)
}

/** P(|T| ≥ |t|): the two-sided p-value of a t statistic. @public */
export function studentTwoSided(t: number, degrees: number): number {
  return 2 * stdStudentCdf(-Math.abs(t), degrees)
}

/** Logarithm of the density of Student's t. */
function logStudentPdf(t: number, degrees: number): number {
  const constant = logGamma((degrees + 1) / 2) - logGamma(degrees / 2) - 0.5 * Math.log(degrees * Math.PI)
  return constant - ((degrees + 1) / 2) * Math.log1p((t * t) / degrees)
}

/**
 * The t with P(T ≤ t) = probability; ±Infinity at 0 and 1. @stdlib's value is polished by Newton's steps on the logarithm of
 * the smaller tail, which takes its error from 1e-8 to about 1e-14.
 *
 * @example studentQuantile(0.975, 10) // 2.228138851986274
 * @public
 */
export function studentQuantile(probability: number, degrees: number): number {
  const start = stdStudentQuantile(probability, degrees)
  if (!Number.isFinite(start) || start === 0) return start
  const side = start < 0 ? -1 : 1
  const tail = side < 0 ? probability : 1 - probability
  let t = Math.abs(start)
  for (let round = 0; round < 3; round++) {
    const now = studentCdf(-t, degrees)
    if (!(now > 0)) break
    const step = (Math.log(now / tail) * now) / Math.exp(logStudentPdf(t, degrees))
    t += step
    if (Math.abs(step) <= 1e-15 * t) break
  }
  return side * t
}

/** P(X ≤ x) of chi-square with `degrees` of freedom. @public */
export function chiSquareCdf(x: number, degrees: number): number {
  return stdChiSquareCdf(x, degrees)
}

/**
 * P(X > x) of chi-square, with its digits where it is small: through erfc for one degree of freedom, by the continued
 * fraction of the upper incomplete gamma function beyond the mean for more.
 *
 * @example chiSquareTail(100, 2) // 1.92874984796391…e-22
 * @public
 */
export function chiSquareTail(x: number, degrees: number): number {
  if (degrees === 1) return 2 * normalCdf(-Math.sqrt(x))
  return x <= degrees + 2 ? 1 - stdChiSquareCdf(x, degrees) : upperGamma(degrees / 2, x / 2)
}

/** Regularised upper incomplete gamma function Q(a, x) for x > a + 1, by Lentz's continued fraction. */
function upperGamma(a: number, x: number): number {
  if (x === Number.POSITIVE_INFINITY) return 0
  let b = x + 1 - a
  let c = Number.MAX_VALUE
  let d = 1 / b
  let product = d
  for (let k = 1; k < 1000; k++) {
    const part = -k * (k - a)
    b += 2
    d = 1 / (part * d + b)
    c = b + part / c
    product *= c * d
    if (Math.abs(c * d - 1) < 1e-16) break
  }
  return Math.exp(-x + a * Math.log(x) - logGamma(a)) * product
}

/** The x with P(X ≤ x) = probability of chi-square. @public */
export function chiSquareQuantile(probability: number, degrees: number): number {
  return stdChiSquareQuantile(probability, degrees)
}

/** P(X ≤ x) of the beta distribution: the regularised incomplete beta function I_x(a, b). @public */
export function betaCdf(x: number, a: number, b: number): number {
  return stdBetaCdf(x, a, b)
}

/** The x with I_x(a, b) = probability. @public */
export function betaQuantile(probability: number, a: number, b: number): number {
  return stdBetaQuantile(probability, a, b)
}

/** P(X ≤ k) of `n` trials with success probability `p`; 0 for k below 0. @public */
export function binomialCdf(k: number, n: number, p: number): number {
  return k < 0 ? 0 : stdBinomialCdf(k, n, p)
}

/** The error function. */
export function erf(x: number): number {
  return stdErf(x)
}

/** Natural logarithm of the gamma function. @public */
export function logGamma(x: number): number {
  return stdLogGamma(x)
}

/** Derivative of the logarithm of the gamma function. */
export function digamma(x: number): number {
  return stdDigamma(x)
}
