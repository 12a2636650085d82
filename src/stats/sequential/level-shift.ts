import type { ChangePoint } from "../../core/report/trend.ts"
import { studentTwoSided } from "../distributions.ts"
import { mean } from "../mean.ts"
import { segmented } from "./segmented.ts"

/** Values from which on a shift of the level can be told from noise that the values themselves must show. */
export const minShiftValues = 4

/**
 * Level changes of a series whose noise is not known beforehand, such as the median latency of each run: what differs from run
 * to run (machine, network, neighbours) is not in a run's own standard error. Binary segmentation with the split of the
 * largest two-sample t (pooled variance), corrected for the choice of the split (Bonferroni). Nothing is found in
 * fewer than four values. Assumes values that are independent from run to run and near normal: give logarithms of latencies.
 * @public
 */
export function levelShifts(values: readonly number[], alpha = 0.05): ChangePoint[] {
  return segmented(values.length, alpha, (from, to) => bestSplit(values, from, to))
}

function bestSplit(values: readonly number[], from: number, to: number): ChangePoint | null {
  const n = to - from
  if (n < minShiftValues) return null
  let best: ChangePoint | null = null
  for (let at = from + 1; at < to; at++) {
    const first = values.slice(from, at)
    const second = values.slice(at, to)
    const [before, after] = [mean(first), mean(second)]
    const squares = squaresAround(first, before) + squaresAround(second, after)
    const error = Math.sqrt((squares / (n - 2)) * (1 / first.length + 1 / second.length))
    const gap = after - before
    // Equal values differ by rounding only.
    if (Math.abs(gap) <= 1e-12 * Math.max(Math.abs(before), Math.abs(after), 1)) continue
    const p = Math.min(1, (error === 0 ? 0 : studentTwoSided(gap / error, n - 2)) * (n - 1))
    if (!best || p < best.p) best = { at, before, after, p }
  }
  return best
}

function squaresAround(values: readonly number[], centre: number): number {
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
}
