import type { ChangePoint } from "../../core/report/trend.ts"
import { normalCdf } from "../distributions.ts"
import { segmented } from "./segmented.ts"

/**
 * Level changes of a series of estimates with known standard errors (a metric over runs): binary segmentation with the
 * split whose weighted means differ most, as long as it is significant after correction for the choice of the split.
 *
 * @param errors standard error of each value; values with an unknown or zero error weigh like the median error
 * @public
 */
export function changePoints(values: readonly number[], errors: readonly number[], alpha = 0.05): ChangePoint[] {
  const positive = errors.filter((error) => error > 0 && Number.isFinite(error)).sort((a, b) => a - b)
  const defaultValue = positive[Math.floor(positive.length / 2)]
  if (defaultValue === undefined) return []
  const weights = errors.map((error) => 1 / (error > 0 && Number.isFinite(error) ? error : defaultValue) ** 2)
  return segmented(values.length, alpha, (from, to) => bestSplit(values, weights, from, to))
}

function bestSplit(
  values: readonly number[],
  weights: readonly number[],
  from: number,
  to: number,
): ChangePoint | null {
  let best: ChangePoint | null = null
  for (let at = from + 1; at < to; at++) {
    const [before, weightBefore] = weightedMean(values, weights, from, at)
    const [after, weightAfter] = weightedMean(values, weights, at, to)
    const z = Math.abs(after - before) / Math.sqrt(1 / weightBefore + 1 / weightAfter)
    const p = Math.min(1, 2 * normalCdf(-z) * (to - from - 1))
    if (!best || p < best.p) best = { at, before, after, p }
  }
  return best
}

function weightedMean(
  values: readonly number[],
  weights: readonly number[],
  from: number,
  to: number,
): [number, number] {
  let sum = 0
  let weight = 0
  for (let i = from; i < to; i++) {
    sum += (values[i] as number) * (weights[i] as number)
    weight += weights[i] as number
  }
  return [sum / weight, weight]
}
