import { normalCdf, normalQuantile } from "../../stats/distributions.ts"
import { type PowerPopulation, powerOfBound, samplesForPower } from "../../stats/tests/bound-power.ts"
import { defaultPower, powerOfDifference, samplesForDifference, samplesForMargin } from "../../stats/tests/power.ts"
import { repeatsAdvice } from "../../wording/plan-advice.ts"

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
  /** What future samples are like: the rule that will decide is then simulated. Formulas for large numbers when absent. */
  readonly population?: PowerPopulation | null
  /** Samples below which nothing can be held, whatever is found; null when unknown. */
  readonly minToHold?: number | null
}

/** How many samples a question needs. @experimental */
export interface PowerPlan {
  /** Paired samples to show that the candidate is better where it is better by the difference. */
  readonly samplesToFind: number
  /** Paired samples to show "not worse by more than" the same amount when there is no difference. */
  readonly samplesToHold: number
  /** Power at those numbers, 0..1; more than was asked for where it rises in steps. */
  readonly powerToFind: number
  readonly powerToHold: number
  /** Whether the numbers are those of the rule that will decide. */
  readonly simulated: boolean
  readonly minToHold: number | null
  readonly usdToFind: number | null
  readonly usdToHold: number | null
  /** Power to find (`power`) and to hold by number of samples. */
  readonly curve: readonly { readonly samples: number; readonly power: number; readonly hold: number }[]
  /** Samples needed with 1, 2, 4, 8 repeats each, where the within-share is known. */
  readonly repeats: readonly { readonly repeats: number; readonly samples: number; readonly calls: number }[]
  readonly advice: string
}

/** Runs of each point of the curve: ± 5 points at worst. */
const curveRuns = 400

/**
 * Samples, dollars and repeats that a difference of δ needs. All numbers are for paired comparisons. Where the population is known
 * the rule that will decide is simulated; where only a deviation is, they are those of large numbers.
 * @experimental
 */
export function planPower(options: PowerPlanOptions): PowerPlan {
  const { deviation, difference, alpha = 0.05, power = defaultPower, usdPerSample = null, withinShare = null } = options
  const { minToHold = null, population = null } = options
  const find = samplesTo({ margin: 0, truth: difference, proven: true })
  const hold = samplesTo({ margin: difference })
  const samplesToHold = Math.max(minToHold ?? 2, hold.samples)
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
    samplesToFind: find.samples,
    samplesToHold,
    powerToFind: find.power,
    powerToHold: hold.power,
    simulated: find.simulated && hold.simulated,
    minToHold,
    usdToFind: price(find.samples),
    usdToHold: price(samplesToHold),
    curve: [0.25, 0.5, 0.75, 1, 1.5, 2].map((share) => {
      const samples = Math.max(2, Math.ceil(find.samples * share))
      return { samples, ...powersAt(samples) }
    }),
    repeats,
    advice: repeatsAdvice(withinShare, repeats),
  }

  function samplesTo(question: { readonly margin: number; readonly truth?: number; readonly proven?: boolean }) {
    const byFormula = question.proven ? samplesForDifference : samplesForMargin
    const from = Math.max(2, Math.ceil(byFormula(deviation, difference, alpha, power)))
    const simulated = population && samplesForPower(population, { ...question, alpha }, power)
    if (simulated) return { samples: simulated.samples, power: simulated.power, simulated: true }
    return { samples: from, power, simulated: false }
  }

  function powersAt(samples: number): { readonly power: number; readonly hold: number } {
    if (population && find.simulated && hold.simulated) {
      const at = (question: Parameters<typeof samplesTo>[0]) =>
        powerOfBound(population, samples, { ...question, alpha, runs: curveRuns }).power
      return { power: at({ margin: 0, truth: difference, proven: true }), hold: at({ margin: difference }) }
    }
    const error = deviation / Math.sqrt(samples)
    return {
      power: powerOfDifference(difference, error, alpha),
      hold: normalCdf(difference / error - normalQuantile(1 - alpha)),
    }
  }
}

/** Right/wrong answers of which this share changes. */
export function populationOfFlips(changed: number): PowerPopulation {
  const pairs = 10_000
  const each = Math.round((pairs * changed) / 2)
  const sums = Float64Array.from({ length: pairs }, (_, i) => (i < each ? -1 : i < 2 * each ? 1 : 0))
  return { units: { sums, sizes: new Float64Array(pairs).fill(1), single: true }, width: 1 }
}

/** Standard deviation of a paired difference of right/wrong answers, of which this share changes. */
export function deviationOfFlips(changed: number, difference = 0): number {
  return Math.sqrt(Math.max(0, changed - difference * difference))
}
