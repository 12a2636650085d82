import { pairedBound } from "../../stats/intervals/paired-bound.ts"
import {
  powerOfDifference,
  samplesForBound,
  samplesForDifference,
  samplesForMargin,
  usualPower,
} from "../../stats/tests/power.ts"

/** What is known before the samples are asked. @experimental */
export interface PowerPlanOptions {
  /** Standard deviation of one sample's paired difference. */
  readonly deviation: number
  /** True difference to be found, or margin to be held, in the metric's own unit. */
  readonly difference: number
  readonly alpha?: number
  readonly power?: number
  /** What one sample costs on both sides together; null when unknown. */
  readonly usdPerSample?: number | null
  /** Share of the deviation's variance that is within samples (repeats of one sample), 0..1; null without repeats. */
  readonly withinShare?: number | null
  /**
   * How far the bound that will decide lies from the difference with so many samples, by its own method and at `alpha`; Student's
   * for many samples when absent.
   */
  readonly gap?: ((samples: number, alpha: number) => number | null) | null
  /** Samples below which nothing can be held, whatever is found; null when unknown. */
  readonly fewestToHold?: number | null
}

/** How many samples a question needs. @experimental */
export interface PowerPlan {
  /** Paired samples for a two-sided test to find the difference. */
  readonly samplesToFind: number
  /** Paired samples to show "not worse by more than" the same amount when there is no difference. */
  readonly samplesToHold: number
  readonly fewestToHold: number | null
  readonly usdToFind: number | null
  readonly usdToHold: number | null
  /** Power of the two-sided test by number of samples. */
  readonly curve: readonly { readonly samples: number; readonly power: number }[]
  /** Samples needed with 1, 2, 4, 8 repeats each, where the within-share is known. */
  readonly repeats: readonly { readonly repeats: number; readonly samples: number; readonly calls: number }[]
  readonly advice: string
}

/** Samples, dollars and repeats that a difference of δ needs. All numbers are for paired comparisons. @experimental */
export function planPower(options: PowerPlanOptions): PowerPlan {
  const { deviation, difference, alpha = 0.05, power = usualPower, usdPerSample = null, withinShare = null } = options
  const { fewestToHold = null, gap = null } = options
  const samplesToFind = Math.max(2, Math.ceil(samplesForDifference(deviation, difference, alpha, power)))
  const byBound = gap && samplesForBound(deviation, difference, (samples) => gap(samples, alpha), power)
  const toHold = byBound ?? Math.ceil(samplesForMargin(deviation, difference, alpha, power))
  const samplesToHold = Math.max(fewestToHold ?? 2, toHold)
  const price = (samples: number) => (usdPerSample === null ? null : samples * usdPerSample)
  const repeats =
    withinShare === null
      ? []
      : [1, 2, 4, 8].map((count) => {
          const shrunk = deviation * Math.sqrt(1 - withinShare + withinShare / count)
          const samples = Math.max(2, Math.ceil(samplesForDifference(shrunk, difference, alpha, power)))
          return { repeats: count, samples, calls: samples * count }
        })
  return {
    samplesToFind,
    samplesToHold,
    fewestToHold,
    usdToFind: price(samplesToFind),
    usdToHold: price(samplesToHold),
    curve: [0.25, 0.5, 0.75, 1, 1.5, 2].map((share) => {
      const samples = Math.max(2, Math.ceil(samplesToFind * share))
      return { samples, power: powerOfDifference(difference, deviation / Math.sqrt(samples), alpha) }
    }),
    repeats,
    advice: adviceOn(withinShare, repeats),
  }
}

/** Distance of the bound that decides on right/wrong answers of which this share changes, half of them each way. */
export function gapOfFlips(changed: number): (samples: number, alpha: number) => number | null {
  const pairs = 2000
  const each = (pairs * changed) / 2
  const differences = Float64Array.from({ length: pairs }, (_, i) => (i < each ? -1 : i < 2 * each ? 1 : 0))
  return gapOfPairs(differences, [0, 1])
}

/** Distance of the bound that decides with so many pairs like these. */
export function gapOfPairs(
  differences: ArrayLike<number>,
  range: readonly [number, number],
  clusters?: readonly string[],
): (samples: number, alpha: number) => number | null {
  return (samples, alpha) => {
    const times = samples / differences.length
    const { value, lowBound } = pairedBound(differences, { range, alpha, times, ...(clusters && { clusters }) })
    return lowBound === null ? null : value - lowBound
  }
}

/** Standard deviation of a paired difference of right/wrong answers, of which this share changes. */
export function deviationOfFlips(changed: number, difference = 0): number {
  return Math.sqrt(Math.max(0, changed - difference * difference))
}

function adviceOn(withinShare: number | null, repeats: PowerPlan["repeats"]): string {
  if (withinShare === null) return "Without repeats it is not known how much of the variance is within samples."
  const percent = Math.round(withinShare * 100)
  const [one, two] = repeats
  if (!one || !two || two.samples >= one.samples * 0.9)
    return `${percent} % of the variance is within samples: repeats hardly help, ask more samples.`
  return `${percent} % of the variance is within samples: two repeats need ${two.samples} samples instead of ${one.samples}, but ${two.calls} calls instead of ${one.calls}; repeats pay only where samples are scarce.`
}
