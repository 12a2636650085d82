import { mean } from "../mean.ts"
import { unseenVariance } from "../unseen-variance.ts"
import { ppiPlus, ppiPlusBounds } from "./ppi-plus.ts"

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
 * judge costs nothing and a perfect one is worth many labels. The interval is valid however bad the judge is, as long as the
 * labelled items are a random part; it is widened for errors that few labels have not shown yet. With all items labelled it is
 * their mean. Angelopoulos, Duchi & Zrnic 2023. Null without a label.
 * @public
 */
export function predictionPoweredMean(items: readonly JudgedItem[], alpha = 0.05): PredictionPoweredMean | null {
  const labelled = items.filter((item): item is { judge: number; human: number } => item.human !== null)
  if (labelled.length === 0) return null
  const human = labelled.map((item) => item.human)
  const facts = { labelled: labelled.length, total: items.length }
  const judgeMean = mean(items.map(({ judge }) => judge))
  if (labelled.length < 2) {
    const value = human[0] as number
    return { ...facts, value, correction: value - judgeMean, low: null, high: null }
  }
  const fit = ppiPlus({
    human,
    judge: labelled.map(({ judge }) => judge),
    judgeOnly: items.filter((item) => item.human === null).map(({ judge }) => judge),
  })
  const { value } = fit
  // What the labels have not shown of the judge matters as far as the judge is believed: lambda is N / (n + N) at most.
  const believed = Math.min(1, fit.lambda * (1 + fit.labelled / Math.max(1, fit.judged)))
  const error = Math.sqrt(fit.error ** 2 + believed ** 2 * unseenVariance(items, labelled))
  const { low, high } = ppiPlusBounds({ ...fit, error }, { alpha })
  const finite = Number.isFinite(low) && Number.isFinite(high)
  return { ...facts, value, correction: value - judgeMean, ...(finite ? { low, high } : { low: null, high: null }) }
}
