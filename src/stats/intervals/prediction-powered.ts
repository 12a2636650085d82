import { mean, variance } from "../mean.ts"
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
  const error = Math.sqrt(judged + variance(rest) / n + unseen(items, labelled))
  return { ...facts, ...studentInterval(value, error, n - 1, alpha) }
}

/**
 * Variance for what few labels have not shown yet: a judge that is mostly right errs in few labelled items, or in none, and
 * the variance of the rest then looks smaller than it is. As Agresti and Min add half a pair to each cell, this adds one
 * error of the whole range over n + 2 labels. 0 where the corrections vary freely.
 */
function unseen(items: readonly JudgedItem[], labelled: readonly { judge: number; human: number }[]): number {
  const counts = new Map<number, number>()
  for (const { judge, human } of labelled) counts.set(human - judge, (counts.get(human - judge) ?? 0) + 1)
  if (![...counts.values()].some((count) => count > labelled.length / 2)) return 0
  const values = [...items.map(({ judge }) => judge), ...labelled.map(({ human }) => human)]
  const range = values.reduce((most, v) => Math.max(most, v)) - values.reduce((least, v) => Math.min(least, v))
  return range ** 2 / (labelled.length * (labelled.length + 2))
}
