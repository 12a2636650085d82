import type { RouterCurve } from "../core/frontier.ts"
import type { AnyMetric } from "../core/metric.ts"
import { createRandom } from "../core/random.ts"
import { type CascadeOutcome, cascadeOutcome, type RoutedSample } from "./cascade.ts"

/** Options of {@link chooseThreshold}. */
export interface ThresholdOptions {
  readonly margin: number
  readonly folds: number
  readonly seed: number | string
}

/**
 * The threshold that escalates least while the cascade stays within the margin of the last stage's quality, and what it
 * scores on folds that did not choose it. It is chosen at half the margin: a choice at the very edge would fall over it on
 * other samples every second time. Null when it saves nothing there, or falls short of the whole margin there.
 */
export function chooseThreshold(
  samples: readonly RoutedSample[],
  grid: readonly number[],
  metric: AnyMetric,
  { margin, folds, seed }: ThresholdOptions,
): RouterCurve["chosen"] {
  const units = createRandom(`${seed}/router`).shuffle([...new Set(samples.map(({ unit }) => unit))])
  if (units.length < folds) return null
  const foldOf = new Map(units.map((unit, i) => [unit, i % folds]))
  const always = grid.at(-1) as number
  let quality = 0
  let strong = 0
  let escalated = 0
  for (let fold = 0; fold < folds; fold++) {
    const train = samples.filter(({ unit }) => foldOf.get(unit) !== fold)
    const held = samples.filter(({ unit }) => foldOf.get(unit) === fold)
    const outcome = cascadeOutcome(held, [leastEscalating(train, grid, metric, margin / 2)], metric)
    const weight = held.length / samples.length
    quality += outcome.quality * weight
    escalated += outcome.escalated * weight
    strong += cascadeOutcome(held, [always], metric).quality * weight
  }
  const sign = metric.direction === "higher" ? 1 : -1
  if (!Number.isFinite(quality) || escalated >= 1 || sign * (quality - strong) < -margin) return null
  return { threshold: leastEscalating(samples, grid, metric, margin / 2), quality, escalated }
}

function leastEscalating(
  samples: readonly RoutedSample[],
  grid: readonly number[],
  metric: AnyMetric,
  margin: number,
): number {
  const sign = metric.direction === "higher" ? 1 : -1
  const last = grid.at(-1) as number
  const outcomes = grid.map((t): [number, CascadeOutcome] => [t, cascadeOutcome(samples, [t], metric)])
  const target = cascadeOutcome(samples, [last], metric).quality
  return outcomes.find(([, outcome]) => sign * (outcome.quality - target) >= -margin)?.[0] ?? last
}
