import type { AnyMetric } from "../../core/metric/metric.ts"
import { createRandom } from "../../core/random.ts"
import type { RouterCurve } from "../../core/report/frontier.ts"
import { cascadeOutcome, type RoutedSample } from "./cascade.ts"

/** Options of {@link chooseThreshold}. */
export interface ThresholdOptions {
  readonly margin: number
  readonly folds: number
  readonly seed: number | string
}

/**
 * The thresholds that cost least (escalate least where a cost is unknown) while the cascade stays within the margin of the
 * last stage's quality, and what they score on folds that did not choose them. They are chosen at half the margin: a choice at the very limit would miss it on
 * other samples every second time. Null when they save nothing
 * there, or fall short of the whole margin there.
 *
 * @param grid thresholds of every stage but the last; the last entry always escalates
 */
export function chooseThreshold(
  samples: readonly RoutedSample[],
  grid: readonly (readonly number[])[],
  metric: AnyMetric,
  { margin, folds, seed }: ThresholdOptions,
): RouterCurve["chosen"] {
  const units = createRandom(`${seed}/router`).shuffle([...new Set(samples.map(({ unit }) => unit))])
  if (units.length < folds) return null
  const foldOf = new Map(units.map((unit, i) => [unit, i % folds]))
  const always = grid.at(-1) as readonly number[]
  let quality = 0
  let strong = 0
  let escalated = 0
  for (let fold = 0; fold < folds; fold++) {
    const train = samples.filter(({ unit }) => foldOf.get(unit) !== fold)
    const held = samples.filter(({ unit }) => foldOf.get(unit) === fold)
    const outcome = cascadeOutcome(held, cheapest(train, grid, metric, margin / 2), metric)
    const weight = held.length / samples.length
    quality += outcome.quality * weight
    escalated += outcome.escalated * weight
    strong += cascadeOutcome(held, always, metric).quality * weight
  }
  const sign = metric.direction === "higher" ? 1 : -1
  if (!Number.isFinite(quality) || escalated >= 1 || sign * (quality - strong) < -margin) return null
  const thresholds = cheapest(samples, grid, metric, margin / 2)
  const several = thresholds.length > 1 ? { thresholds } : {}
  return { threshold: thresholds[0] as number, ...several, quality, escalated }
}

function cheapest(
  samples: readonly RoutedSample[],
  grid: readonly (readonly number[])[],
  metric: AnyMetric,
  margin: number,
): readonly number[] {
  const sign = metric.direction === "higher" ? 1 : -1
  const always = grid.at(-1) as readonly number[]
  const target = cascadeOutcome(samples, always, metric).quality
  let best = always
  let least = Number.POSITIVE_INFINITY
  for (const thresholds of grid) {
    const { quality, costUsd, escalated } = cascadeOutcome(samples, thresholds, metric)
    const price = costUsd ?? escalated
    if (sign * (quality - target) < -margin || price >= least) continue
    best = thresholds
    least = price
  }
  return best
}
