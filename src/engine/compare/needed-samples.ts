import { normalCdf, normalQuantile } from "../../stats/distributions.ts"
import { samplesWithoutChange } from "../../stats/intervals/unchanged-interval.ts"
import { usualPower } from "../../stats/tests/power.ts"

/** What an open comparison knows of the difference, on the side on which larger is better. */
export interface OpenDifference {
  readonly difference: number
  /** Its one-sided bounds; wider than z standard errors where no normal distribution is assumed. */
  readonly low: number
  readonly high: number
  /** Its standard error; 0 where nothing differed. */
  readonly error: number
  readonly samples: number
  readonly margin: number
  /** One-sided. */
  readonly alpha: number
  /** How far two values can lie apart; infinite where nothing bounds them. */
  readonly width: number
}

const mostSamples = 1e8

/**
 * Samples of a new run that would settle the question with 80 % power, the estimate's own uncertainty counted in: the
 * predictive power Φ((|d + margin| − z s / √N) / √(se² + s² / N)) must reach 0.8. Null where no number of samples can be
 * promised: the estimate is then too near the margin for what it is sure of. Samples that were looked at are not counted
 * again: a run that is extended because it was open, and read as before, decides falsely more often than alpha.
 */
export function samplesOfNewRun(open: OpenDifference): number | null {
  const { difference, low, high, error, samples, margin, alpha, width } = open
  // Where nothing differed there is no spread to plan by: what it takes if nothing differs in the new run, either. Such a
  // bound falls with the number of samples.
  if (!(error > 0)) {
    const least = samplesWithoutChange(width, margin, alpha)
    return least === null ? null : Math.max(least, Math.ceil((samples * (difference - low)) / margin))
  }
  const distance = Math.abs(difference + margin)
  const spread = error * Math.sqrt(samples)
  const gap = difference + margin > 0 ? difference - low : high - difference
  const z = Math.max(normalQuantile(1 - alpha), gap / error)
  const power = (n: number) =>
    normalCdf((distance - (z * spread) / Math.sqrt(n)) / Math.sqrt(error * error + (spread * spread) / n))
  if (power(mostSamples) < usualPower) return null
  let [below, enough] = [1, 2]
  while (power(enough) < usualPower) [below, enough] = [enough, enough * 2]
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2)
    if (power(middle) < usualPower) below = middle
    else enough = middle
  }
  return enough
}
