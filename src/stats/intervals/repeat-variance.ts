/** Where the variance of a score comes from: different samples, or asking the same sample again. @public */
export interface RepeatVariance {
  /** Variance over samples of the expected score (ω²); 0 when the repeats explain all of it. */
  readonly between: number
  /** Mean variance of one sample's repeats (σ²). */
  readonly within: number
  /** Share of the variance of a single answer that is within samples, 0..1. */
  readonly withinShare: number
  /** Repeats per sample that give the least error for a number of calls; 1 means: ask more samples instead. */
  readonly bestRepeats: number
}

/**
 * Splits variance into between and within samples from repeated answers (one-way random effects, method of moments).
 * More repeats pay only while σ² is large beside ω²: for calls that all cost the same, one repeat is always best for the
 * mean, and repeats pay when a new sample costs `sampleCost` calls more than a repeat: K = √(sampleCost · σ² / ω²).
 *
 * @param scores the repeats of each sample
 * @param sampleCost extra cost of a new sample (writing, labelling) in units of one call
 * @returns null when no sample has two repeats or there are fewer than two samples
 */
export function repeatVariance(scores: readonly (readonly number[])[], sampleCost = 0): RepeatVariance | null {
  const repeated = scores.filter((list) => list.length > 0)
  if (repeated.length < 2 || !repeated.some((list) => list.length > 1)) return null
  const means = repeated.map((list) => list.reduce((sum, value) => sum + value, 0) / list.length)
  let squares = 0
  let freedom = 0
  repeated.forEach((list, i) => {
    for (const value of list) squares += (value - (means[i] as number)) ** 2
    freedom += list.length - 1
  })
  const within = squares / freedom
  const centre = means.reduce((sum, value) => sum + value, 0) / means.length
  const spread = means.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (means.length - 1)
  const harmonic = repeated.reduce((sum, list) => sum + 1 / list.length, 0) / repeated.length
  const between = Math.max(0, spread - within * harmonic)
  const total = between + within
  const best = between === 0 ? Number.POSITIVE_INFINITY : Math.sqrt((sampleCost * within) / between)
  return {
    between,
    within,
    withinShare: total === 0 ? 0 : within / total,
    bestRepeats: Math.max(1, Math.min(100, Math.round(best))),
  }
}
