import type { Random } from "../../core/random.ts"
import { indexStream } from "./bootstrap-indices.ts"

/** Rows that all resamples of one bootstrap may read together, so that large runs end. */
const rowBudget = 4_000_000

/**
 * How many resamples n rows get: what was asked for (1,000 by default), fewer when n is large, at least 100.
 */
export function rowResamples(n: number, resamples = 1000): number {
  return Math.max(Math.min(resamples, 100), Math.min(resamples, Math.floor(rowBudget / Math.max(1, n))))
}

/**
 * Bootstrap distribution of any function of rows: draws units with replacement and hands over the positions of their
 * rows. For what no sum or mean can express (calibration error, correlation): `score` sees n rows a resample.
 *
 * @param members positions of the rows of each unit
 * @param score the figure of the rows at these positions; NaN where there is none
 */
export function bootstrapRows(
  members: readonly (readonly number[])[],
  score: (positions: readonly number[]) => number,
  resamples: number,
  random: Random,
): Float64Array {
  const indices = new Int32Array(members.length)
  const draw = indexStream(random, members.length)
  const scores = new Float64Array(resamples)
  for (let r = 0; r < resamples; r++) {
    draw(indices)
    const positions: number[] = []
    for (const unit of indices) for (const position of members[unit] as readonly number[]) positions.push(position)
    scores[r] = score(positions)
  }
  return scores
}
