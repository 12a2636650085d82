import { normalQuantile, studentQuantile } from "../distributions.ts"
import { mean, variance } from "../mean.ts"

/** Items of which people judged a part; all arrays of one part are of equal length. */
export interface PredictionPoweredData {
  /** People's and the judge's scores of the labelled items. */
  readonly human: ArrayLike<number>
  readonly judge: ArrayLike<number>
  /** The judge's scores of the items that nobody labelled. */
  readonly judgeOnly: ArrayLike<number>
  /** One over the probability with which each labelled item was drawn for labelling, up to a factor; equal when absent. */
  readonly weights?: ArrayLike<number> | undefined
  readonly judgeOnlyWeights?: ArrayLike<number> | undefined
}

/** A mean that rests on many judge scores and few labels. */
export interface PredictionPoweredFit {
  readonly value: number
  /** How much the judge is believed, 0 (labels alone) to 1. */
  readonly lambda: number
  /** Lambda before it is held inside 0..1; NaN where the judge never varies. */
  readonly lambdaRaw: number
  /** Standard error, variances over n. */
  readonly error: number
  readonly labelled: number
  readonly judged: number
}

/**
 * PPI++: λ·(mean of the judge on unlabelled items) + mean of (human − λ·judge) on labelled ones, with the λ that makes the
 * variance smallest: cov(human, judge) / ((1 + n/N)·var(judge)). Unbiased for every fixed λ; a useless judge gets λ near 0 and
 * costs nothing. Angelopoulos, Duchi & Zrnic 2023; equal to ppi_py. A judge that never varies gets λ = 0.
 *
 * @param lambda fixes λ instead of tuning it
 * @throws RangeError for fewer than two labels, arrays of unequal length and weights that are negative or sum to 0
 */
export function ppiPlus(data: PredictionPoweredData, lambda?: number): PredictionPoweredFit {
  const { human, judge, judgeOnly } = data
  const n = human.length
  const judged = judgeOnly.length
  if (n < 2) throw new RangeError(`a prediction-powered mean needs at least two labels, not ${n}`)
  if (judge.length !== n) throw new RangeError(`${n} labels but ${judge.length} scores of the judge for them`)
  const w = normalised(data.weights, n)
  const v = normalised(data.judgeOnlyWeights, judged)
  const times = (values: ArrayLike<number>, factors: Float64Array, less = 0) =>
    factors.map((factor, i) => factor * ((values[i] as number) - less))
  // Weighted scores are compared around the untuned estimate, as gradients of the squared error.
  const untuned =
    (judged === 0 ? 0 : mean(times(judgeOnly, v))) +
    mean(w.map((factor, i) => factor * ((human[i] as number) - (judged === 0 ? 0 : (judge[i] as number)))))
  const labels = times(human, w, untuned)
  const scores = times(judge, w, untuned)
  const pooled = Float64Array.of(...scores, ...times(judgeOnly, v, untuned))
  const [labelMean, scoreMean] = [mean(labels), mean(scores)]
  const covariance =
    labels.reduce((sum, label, i) => sum + (label - labelMean) * ((scores[i] as number) - scoreMean), 0) / n
  const spread = variance(pooled)
  const lambdaRaw = spread > 1e-24 ? covariance / ((1 + n / judged) * spread) : Number.NaN
  const tuned = judged === 0 || Number.isNaN(lambdaRaw) ? 0 : Math.min(1, Math.max(0, lambdaRaw))
  const used = judged === 0 ? 0 : (lambda ?? tuned)
  const imputed = times(judgeOnly, v).map((score) => used * score)
  const rest = w.map((factor, i) => factor * ((human[i] as number) - used * (judge[i] as number)))
  const error = Math.sqrt((judged === 0 ? 0 : variance(imputed, 0) / judged) + variance(rest, 0) / n)
  return { value: (judged === 0 ? 0 : mean(imputed)) + mean(rest), lambda: used, lambdaRaw, error, labelled: n, judged }
}

/** Bounds of a {@link PredictionPoweredFit}: infinite on the side that was not asked for. */
export interface PredictionPoweredBounds {
  readonly low: number
  readonly high: number
}

/**
 * Interval, or one-sided bound, of a fit. `student` (default) takes t with n − 2 degrees and variances over n − 2, since λ was
 * fitted to the same labels; `normal` gives ppi_py's figures. A one-sided bound is one-sided with a tuned λ, too.
 */
export function ppiPlusBounds(
  { value, error, labelled }: PredictionPoweredFit,
  options: {
    readonly alpha?: number
    readonly side?: "two" | "lower" | "upper"
    readonly quantile?: "student" | "normal"
  } = {},
): PredictionPoweredBounds {
  const { alpha = 0.05, side = "two", quantile = "student" } = options
  const level = 1 - (side === "two" ? alpha / 2 : alpha)
  const half =
    quantile === "normal"
      ? normalQuantile(level) * error
      : labelled > 2
        ? studentQuantile(level, labelled - 2) * error * Math.sqrt(labelled / (labelled - 2))
        : Number.POSITIVE_INFINITY
  return {
    low: side === "upper" ? Number.NEGATIVE_INFINITY : value - half,
    high: side === "lower" ? Number.POSITIVE_INFINITY : value + half,
  }
}

/** Weights moved to sum n. */
function normalised(weights: ArrayLike<number> | undefined, n: number): Float64Array {
  if (!weights) return new Float64Array(n).fill(1)
  if (weights.length !== n) throw new RangeError(`${weights.length} weights for ${n} items`)
  let sum = 0
  for (let i = 0; i < n; i++) {
    if (!((weights[i] as number) >= 0)) throw new RangeError(`a weight must not be negative, as ${weights[i]} is`)
    sum += weights[i] as number
  }
  if (!(sum > 0) || !Number.isFinite(sum)) throw new RangeError("weights must have a positive and finite sum")
  return Float64Array.from(weights, (weight) => (weight * n) / sum)
}
