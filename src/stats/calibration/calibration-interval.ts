import { createRandom } from "../../core/random.ts"
import { basicInterval } from "../resampling/bootstrap-interval.ts"
import { bootstrapVectors } from "../resampling/bootstrap-vectors.ts"
import { groupUnits } from "../resampling/units.ts"
import { binOf, equalWidthEdges } from "./calibration-bins.ts"

const resamples = 1000

/** An interval and how it was made. */
export interface CalibrationInterval {
  readonly low: number
  readonly high: number
  readonly method: string
}

/**
 * Interval of the expected calibration error over bins of equal width: basic bootstrap over units, resampling sums per bin.
 * Chance gaps make the error of a sample too large, and that of a resample larger still: the basic interval takes this off
 * again, and is extended to the figure where it would leave it out. Null for fewer than two units.
 *
 * @param keys unit of each answer (its sample, or its cluster); units are put in order, so that the order of rows does not
 * matter
 * @param value the error of the answers themselves
 */
export function calibrationInterval(
  confidence: ArrayLike<number>,
  correct: ArrayLike<number>,
  keys: readonly string[],
  value: number,
  options: { readonly bins: number; readonly seed: number | string; readonly alpha?: number },
): CalibrationInterval | null {
  const { bins, seed, alpha = 0.05 } = options
  const order = keys.map((_, i) => i).sort((a, b) => compare(keys[a] as string, keys[b] as string))
  const { members } = groupUnits(
    new Float64Array(order.length),
    order.map((i) => keys[i] as string),
  )
  if (members.length < 2) return null
  const edges = equalWidthEdges(bins)
  const size = 2 * bins + 1
  const data = new Float64Array(members.length * size)
  members.forEach((positions, unit) => {
    for (const position of positions) {
      const i = order[position] as number
      const at = unit * size + 2 * binOf(confidence[i] as number, edges)
      data[at]! += confidence[i] as number
      data[at + 1]! += correct[i] as number
      data[(unit + 1) * size - 1]! += 1
    }
  })
  const gap = (sum: Float64Array) => {
    let total = 0
    for (let at = 0; at < 2 * bins; at += 2) total += Math.abs((sum[at] as number) - (sum[at + 1] as number))
    return total / (sum[size - 1] as number)
  }
  const distribution = bootstrapVectors({ data, size }, gap, resamples, createRandom(`${seed}/calibration`))
  const { low, high } = basicInterval(distribution, value, alpha)
  return {
    low: Math.min(value, Math.max(0, low)),
    high: Math.max(value, Math.min(1, high)),
    method: `basic bootstrap over ${members.length} ${members.length === keys.length ? "samples" : "units"}, seed ${seed}`,
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
