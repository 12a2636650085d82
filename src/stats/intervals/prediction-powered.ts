import { studentQuantile } from "../distributions.ts"
import { mean, variance } from "../mean.ts"
import { unseenVariance } from "../unseen-variance.ts"
import { dirichletLowerBound, dirichletUpperBound } from "./dirichlet-bound.ts"
import { ppiPlus, ppiPlusBounds } from "./ppi-plus.ts"
import type { Bounds } from "./proportion-interval.ts"
import { studentInterval } from "./student-interval.ts"

/** One judged item; `human` is null where it has no label. @public */
export interface JudgedItem {
  readonly judge: number
  readonly human: number | null
}

/** A mean of many judge scores, corrected by few human labels. @public */
export interface PredictionPoweredMean {
  readonly value: number
  /** Null with too few labels for an interval. */
  readonly low: number | null
  readonly high: number | null
  readonly labelled: number
  readonly total: number
  /** Result less the judge's mean over all items: what the labels correct. */
  readonly correction: number
}

/**
 * Prediction-powered mean by {@link ppiPlus}: the judge is believed as much as makes the variance smallest, so that a useless
 * judge costs nothing and a perfect one is worth many labels. Where its scores do not go with the labels beyond what chance
 * does (one-sided p above 0.1), the interval is never wider than that of the labels alone. The interval is valid however bad the judge is, as long as the
 * labelled items are a random part; it is widened for errors that few labels have not shown yet, and where fewer than five labels differ
 * from the most common one, it is never inside the bounds that the labels alone have, whatever their distribution. With all items
 * labelled it is their mean. Angelopoulos, Duchi & Zrnic 2023. Null without a label.
 * @param range of the scores: no mean and no bound lies outside of it. Default: unbounded
 * @public
 */
export function predictionPoweredMean(
  items: readonly JudgedItem[],
  alpha = 0.05,
  range: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
): PredictionPoweredMean | null {
  const labelled = items.filter((item): item is { judge: number; human: number } => item.human !== null)
  if (labelled.length === 0) return null
  const human = labelled.map((item) => item.human)
  const facts = { labelled: labelled.length, total: items.length }
  const judgeMean = mean(items.map(({ judge }) => judge))
  if (labelled.length < 2) {
    const value = human[0] as number
    return { ...facts, value, correction: value - judgeMean, low: null, high: null }
  }
  const judge = labelled.map((item) => item.judge)
  const fit = ppiPlus({
    human,
    judge,
    judgeOnly: items.filter((item) => item.human === null).map((item) => item.judge),
  })
  const within = (number: number) => Math.min(range[1], Math.max(range[0], number))
  const { value } = fit
  // What the labels have not shown of the judge matters as far as the judge is believed: lambda is N / (n + N) at most.
  const believed = Math.min(1, fit.lambda * (1 + fit.labelled / Math.max(1, fit.judged)))
  const error = Math.sqrt(fit.error ** 2 + believed ** 2 * unseenVariance(items, labelled))
  const powered = ppiPlusBounds({ ...fit, error }, { alpha })
  const alone = studentInterval(value, Math.sqrt(variance(human) / human.length), human.length - 1, alpha)
  const narrower = !goTogether(human, judge) && alone.high - alone.low < powered.high - powered.low
  const { low, high } = held(narrower ? alone : powered, human, items, alpha)
  const finite = Number.isFinite(low) && Number.isFinite(high)
  const bounds = finite ? { low: within(low), high: within(high) } : { low: null, high: null }
  return { ...facts, value: within(value), correction: within(value) - judgeMean, ...bounds }
}

/** Fewer labels that differ from the most common one show neither their own spread nor whether the judge's goes with it. */
const minUncommon = 5

/** Bounds that hold where labels hardly vary; infinite where nothing that was seen varies, so that nobody knows the range. */
function held(bounds: Bounds, human: readonly number[], items: readonly JudgedItem[], alpha: number): Bounds {
  const counts = new Map<number, number>()
  for (const label of human) counts.set(label, (counts.get(label) ?? 0) + 1)
  if (human.length - [...counts.values()].reduce((a, b) => Math.max(a, b)) >= minUncommon) return bounds
  const seen = items.flatMap(({ judge, human: label }) => (label === null ? [judge] : [judge, label]))
  const [least, most] = [seen.reduce((a, b) => Math.min(a, b)), seen.reduce((a, b) => Math.max(a, b))]
  if (least === most) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
  return {
    low: Math.min(bounds.low, dirichletLowerBound(human, least, alpha / 2)),
    high: Math.max(bounds.high, dirichletUpperBound(human, most, alpha / 2)),
  }
}

/** Whether two lists rise together beyond chance: one-sided t of their correlation at p = 0.1. */
function goTogether(human: readonly number[], judge: readonly number[]): boolean {
  const n = human.length
  const [centreA, centreB] = [mean(human), mean(judge)]
  let [joint, a, b] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    const [x, y] = [(human[i] as number) - centreA, (judge[i] as number) - centreB]
    joint += x * y
    a += x * x
    b += y * y
  }
  // Where nobody varies there is no correlation to find: what few labels have not shown is then added by the fit.
  if (a === 0) return true
  if (n < 3) return false
  const r = joint / Math.sqrt(a * b)
  return b > 0 && r * Math.sqrt((n - 2) / Math.max(1e-12, 1 - r * r)) > studentQuantile(0.9, n - 2)
}
