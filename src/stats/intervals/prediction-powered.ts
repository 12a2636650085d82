import { mean, variance } from "../mean.ts"
import { unseenVariance } from "../unseen-variance.ts"
import { studentInterval } from "./student-interval.ts"

/** One judged item; `human` is null where it has no label. @public */
export interface JudgedItem {
  readonly judge: number
  readonly human: number | null
}

/** A mean of many judge scores, corrected by few human labels. @public */
export interface PredictionPoweredMean {
  readonly value: number
  /** Null with fewer than two labels. */
  readonly low: number | null
  readonly high: number | null
  readonly labelled: number
  readonly total: number
  /** Mean of (human − judge) on the labelled part: what the judge gets wrong on average. */
  readonly correction: number
}

/**
 * Prediction-powered mean: mean judge score on all items + mean of (human − judge) on the labelled ones, with an interval
 * that is valid however bad the judge is, as long as the labelled items are a random part. The labelled items are among
 * all items; their covariance is accounted for. Angelopoulos et al. 2023. Null without a label.
 * @public
 */
export function predictionPoweredMean(items: readonly JudgedItem[], alpha = 0.05): PredictionPoweredMean | null {
  const labelled = items.filter((item): item is { judge: number; human: number } => item.human !== null)
  const others = items.filter(({ human }) => human === null).map(({ judge }) => judge)
  if (labelled.length === 0) return null
  const total = items.length
  const n = labelled.length
  const correction = mean(labelled.map(({ human, judge }) => human - judge))
  const value = mean(items.map(({ judge }) => judge)) + correction
  const facts = { value, labelled: n, total, correction }
  if (n < 2) return { ...facts, low: null, high: null }
  const share = others.length / total
  const rest = labelled.map(({ human, judge }) => human - share * judge)
  const judged = others.length > 1 ? (share * share * variance(others)) / others.length : 0
  const error = Math.sqrt(judged + variance(rest) / n + unseenVariance(items, labelled))
  return { ...facts, ...studentInterval(value, error, n - 1, alpha) }
}
