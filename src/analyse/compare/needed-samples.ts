import type { NeededAs } from "../../core/report/comparison.ts"
import { normalCdf } from "../../stats/distributions.ts"
import { readingLevel } from "../../stats/sequential/staged-bound.ts"
import { defaultPower } from "../../stats/tests/power.ts"

/** What an open comparison knows of the difference, on the side on which larger is better. */
export interface OpenDifference {
  readonly difference: number
  /** Its standard error; 0 where nothing differed. */
  readonly error: number
  readonly samples: number
  readonly margin: number
  /** One-sided level that a new run would be read at. */
  readonly level: number
  /** What is left of it for more samples of this run; null where it may not be extended. */
  readonly levelForMore: number | null
  /**
   * How far the bound that decides (the lower one where the difference is above −margin, else the upper one) lies from the
   * difference with so many new samples like these; null where nothing bounds it.
   */
  gap(samples: number, level: number): number | null
}

/** Samples that would settle an open question, and how they are to be asked. */
export interface NeededSamples {
  readonly samples: number
  readonly as: NeededAs
  /** What is assumed: that the candidate is as good as the baseline; absent: what the estimate leaves open. */
  readonly if?: "non_inferior"
}

const maxSamples = 1e8
const maxRounds = 16

/**
 * New samples that would settle the question with 80 % power, the estimate's own uncertainty counted in: the predictive power
 * Φ((|d + margin| − gap(N)) / √(se² + s² / N)) must reach 0.8, where the gap is that of the method and level that will decide.
 * They extend this run where a part of its error rate was kept for that; else they must be a new run, which does not count
 * the samples of this one again. Near the margin no number, or only a huge one, can be promised: what a new run takes to show that nothing
 * is lost, if nothing is, is said in its place, as a plan before any answer would say it. Null where there is no margin and
 * no number can be promised.
 */
export function neededSamples(open: OpenDifference): NeededSamples | null {
  const { levelForMore, level } = open
  if (levelForMore !== null) {
    const samples = samplesAt(open, readingLevel(levelForMore, true))
    if (samples !== null) return { samples, as: "extension" }
  }
  const samples = samplesAt(open, level)
  const { difference, margin } = open
  const mayBeGood = margin > 0 && (samples === null || difference > -margin)
  const asGood = mayBeGood ? samplesAt(open, level, 0) : null
  if (asGood !== null && (samples === null || samples > asGood))
    return { samples: asGood, as: "new_run", if: "non_inferior" }
  return samples === null ? null : { samples, as: "new_run" }
}

/** @param truth the difference that is assumed; the estimate's, with its uncertainty, where none is */
function samplesAt(open: OpenDifference, level: number, truth?: number): number | null {
  const { difference, error, samples, margin } = open
  const distance = Math.abs((truth ?? difference) + margin)
  const doubt = truth === undefined ? error : 0
  let count = samples
  for (let round = 0; round < maxRounds; round++) {
    const gap = open.gap(count, level)
    // What bounds a mean falls about as 1 / √n, and a little faster where few samples may have missed the worst.
    const next = gap === null ? null : samplesWithGap({ distance, error, doubt, samples }, { gap, count })
    if (next === null || next > maxSamples) return null
    const isNear = Math.abs(next - count) <= Math.max(0.01, count / 500)
    // Half of the way on a logarithmic scale: a bound that falls as 1 / n would send full steps to and fro.
    count = isNear || round === 0 ? next : Math.sqrt(count * next)
    if (isNear) break
  }
  // Where nothing differed the number is exact, but for a last step.
  const last = Math.ceil(count)
  const isShort = !(error > 0) && (open.gap(last, level) ?? 0) >= distance
  return isShort ? last + 1 : last
}

/** Fewest samples with the power where the bound of `count` samples lies `gap` from the estimate; null where no number has it. */
function samplesWithGap(
  { distance, error, doubt, samples }: Record<"distance" | "error" | "doubt" | "samples", number>,
  { gap, count }: { readonly gap: number; readonly count: number },
): number | null {
  // Where nothing differed there is no spread to plan by: what it takes if nothing differs among the new samples, either. The
  // bound then falls with the number of samples.
  if (!(error > 0)) return distance > 0 ? (count * gap) / distance : null
  const scale = gap * Math.sqrt(count)
  const spread = error * Math.sqrt(samples)
  const power = (n: number) =>
    normalCdf((distance - scale / Math.sqrt(n)) / Math.sqrt(doubt * doubt + (spread * spread) / n))
  if (power(maxSamples) < defaultPower) return null
  let [below, enough] = [0, maxSamples]
  for (let halving = 0; halving < 60 && enough - below > 0.1; halving++) {
    const middle = below === 0 ? enough / 16 : Math.sqrt(below * enough)
    if (middle < 1) return 1
    if (power(middle) < defaultPower) below = middle
    else enough = middle
  }
  return enough
}
