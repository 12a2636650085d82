import { normalCdf, normalQuantile } from "../distributions.ts"
import { usualPower } from "../tests/power.ts"

/** What is known of a difference, and what would settle it. */
export interface PredictiveQuestion {
  /** Estimated difference where larger is better, and the standard deviation of one sample's difference. */
  readonly difference: number
  readonly deviation: number
  /** Samples that the estimate was made from. */
  readonly samples: number
  /** The lower bound must lie above −margin. */
  readonly margin: number
  /** One-sided level of the bound at the end. */
  readonly level?: number
}

/**
 * Probability that a run that is continued to `total` samples shows non-inferiority, given what was seen, with the
 * uncertainty of the estimate itself: the truth is as likely to be worse than the estimate as better. A power computed at the
 * estimate promises too much.
 */
export function predictivePower(question: PredictiveQuestion, total: number): number {
  const { difference, deviation, samples, margin, level = 0.05 } = question
  if (!(samples > 0 && total >= samples && deviation >= 0)) throw new RangeError("a run can only be continued")
  const distance = difference + margin - (normalQuantile(1 - level) * deviation) / Math.sqrt(total)
  // What the final estimate still moves by: its future part around an estimate that is itself uncertain.
  const spread = deviation * Math.sqrt((total - samples) / (total * samples))
  return spread === 0 ? Number(distance > 0) : normalCdf(distance / spread)
}

/**
 * Fewest samples in total with which {@link predictivePower} reaches the power; null where no number does, because the
 * estimate does not exclude a truth beyond the margin firmly enough.
 */
export function samplesForPredictivePower(question: PredictiveQuestion, power = usualPower): number | null {
  const reaches = (total: number) => predictivePower(question, total) >= power
  if (reaches(question.samples)) return question.samples
  let high = question.samples * 2
  while (!reaches(high)) {
    if (high > 1e9) return null
    high *= 2
  }
  let low = high / 2
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (reaches(middle)) high = middle
    else low = middle
  }
  return Math.ceil(high)
}
