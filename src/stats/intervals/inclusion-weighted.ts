import { mean, variance } from "../mean.ts"
import { unseenVariance } from "../unseen-variance.ts"
import type { JudgedItem, PredictionPoweredMean } from "./prediction-powered.ts"
import { studentInterval } from "./student-interval.ts"

/** One judged item with the probability with which it was to be labelled. */
export interface DrawnItem extends JudgedItem {
  /** 0 < probability ≤ 1, whether or not the item got a label. */
  readonly probability: number
}

/**
 * Mean of many judge scores corrected by labels that were drawn with known, unequal probabilities (active labelling):
 * λ · mean of the judge on all items + mean of (human − λ·judge) on the labelled ones, each weighted by one over its
 * probability (Hájek). Unbiased whatever the probabilities depend on, the judge's answer included. λ in 0..1 makes the
 * variance smallest; the variance is that of each item's influence, so that items with probability 1 are allowed. Student's t
 * with the labels that carry the variance (Satterthwaite's number for the squared weights) less 2. Zrnic & Candès 2024; Angelopoulos, Duchi & Zrnic 2023. Null without a label.
 *
 * @param lambda fixes λ: 0 is the weighted mean of the labels alone
 * @throws RangeError for a probability outside 0..1 or of 0
 */
export function inclusionWeightedMean(
  items: readonly DrawnItem[],
  alpha = 0.05,
  lambda?: number,
): PredictionPoweredMean | null {
  const wrong = items.find(({ probability }) => !(probability > 0 && probability <= 1))
  if (wrong)
    throw new RangeError(`a probability of being labelled lies above 0 and up to 1, not at ${wrong.probability}`)
  const labelled = items.filter((item): item is DrawnItem & { human: number } => item.human !== null)
  if (labelled.length === 0) return null
  const weights = labelled.map(({ probability }) => 1 / probability)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const weighted = (of: (item: DrawnItem & { human: number }) => number) =>
    labelled.reduce((sum, item, i) => sum + (weights[i] as number) * of(item), 0) / total
  const judgeAll = mean(items.map(({ judge }) => judge))
  const [humanMean, judgeMean] = [weighted(({ human }) => human), weighted(({ judge }) => judge)]
  // An item's influence on the result is label + λ · score; weights are scaled so that they sum to the number of items.
  const scale = items.length / total
  const label = items.map(({ human, probability }) =>
    human === null ? 0 : (scale / probability) * (human - humanMean),
  )
  const score = items.map(
    ({ human, judge, probability }) =>
      judge - judgeAll - (human === null ? 0 : (scale / probability) * (judge - judgeMean)),
  )
  const spread = variance(score, 0)
  const joint = mean(label.map((value, i) => value * (score[i] as number))) - mean(label) * mean(score)
  const used = lambda ?? (spread > 1e-24 ? Math.min(1, Math.max(0, -joint / spread)) : 0)
  const correction = humanMean - used * judgeMean - (1 - used) * judgeAll
  const value = judgeAll + correction
  const facts = { value, labelled: labelled.length, total: items.length, correction }
  // Few labels of small probability carry most of the variance: they, not all labels, are its degrees of freedom.
  const squares = weights.map((weight) => weight * weight)
  const effective =
    squares.reduce((sum, square) => sum + square, 0) ** 2 / squares.reduce((sum, square) => sum + square * square, 0)
  if (effective <= 3) return { ...facts, low: null, high: null }
  const influence = label.map((own, i) => own + used * (score[i] as number))
  const squared = (variance(influence, 0) / items.length) * (effective / (effective - 2))
  const heaviest = weights.reduce((max, weight) => Math.max(max, weight)) / total
  const error = Math.sqrt(squared + unseenVariance(items, labelled, 1 / heaviest))
  return { ...facts, ...studentInterval(value, error, effective - 2, alpha) }
}
