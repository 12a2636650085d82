import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { RouterCurve } from "../../core/report/frontier.ts"
import { type CascadeOutcome, type CascadeStage, cascadeOutcome, cascadeStages, type RoutedSample } from "./cascade.ts"
import { routerSentence } from "./router-sentence.ts"
import { chooseThreshold } from "./router-threshold.ts"

/** Options of {@link routerCurve}. @experimental */
export interface RouterOptions {
  readonly seed: number | string
  /** Loss against the strong variant that still counts as "as good"; 0.01 by default. */
  readonly margin?: number
  /** Thresholds on the curve, at most; 101 by default. */
  readonly thresholds?: number
  readonly folds?: number
}

/**
 * The cascade "ask `cheap`; when its confidence is below t ask `strong`" for every t, from answers that both already
 * gave: quality, cost and latency of each cascade with no further call. An escalated sample pays for both answers and
 * waits for both. A sample without a confidence is always escalated. The threshold is chosen by cross-validation as the
 * one that escalates least while the quality stays within the margin of the strong variant's.
 *
 * Null when no sample has a confidence and both scores.
 * @experimental
 */
export function routerCurve(
  cheap: ScoredVariant,
  strong: ScoredVariant,
  metric: AnyMetric,
  options: RouterOptions,
): RouterCurve | null {
  const { margin = 0.01, thresholds = 101, folds = 5, seed } = options
  const samples = cascadeStages([cheap, strong], metric)
  if (!samples.some(({ stages }) => confidence(stages[0]) !== null)) return null
  const grid = thresholdGrid(samples, 0, thresholds)
  const points = grid.map((threshold) => ({ threshold, ...cascadeOutcome(samples, [threshold], metric) }))
  const curve = {
    stages: [cheap.name, strong.name],
    points,
    chosen: chooseThreshold(
      samples,
      grid.map((threshold) => [threshold]),
      metric,
      { margin, folds, seed },
    ),
    method: `simulated from ${samples.length} paired answers; threshold by ${folds}-fold cross-validation, margin ${margin}, seed ${seed}`,
  }
  return { ...curve, sentence: routerSentence(curve, metric) }
}

/**
 * The cascade of three or more stages, each escalating below its own threshold: the points that no other point of the
 * grid beats in quality and cost (in quality and escalations where cost is unknown). `threshold` is the first stage's,
 * `thresholds` holds them all.
 * @experimental
 */
export function cascadeCurve(
  variants: readonly ScoredVariant[],
  metric: AnyMetric,
  options: RouterOptions,
): RouterCurve | null {
  const { margin = 0.01, thresholds = 13, folds = 5, seed } = options
  const samples = cascadeStages(variants, metric)
  if (variants.length < 2 || samples.length === 0) return null
  const grids = variants.slice(0, -1).map((_, stage) => thresholdGrid(samples, stage, thresholds))
  const combinations = grids.reduce<number[][]>(
    (lists, grid) => lists.flatMap((list) => grid.map((threshold) => [...list, threshold])),
    [[]],
  )
  const all = combinations.map((list) => ({
    threshold: list[0] as number,
    thresholds: list,
    ...cascadeOutcome(samples, list, metric),
  }))
  const sign = metric.direction === "higher" ? 1 : -1
  const price = (point: CascadeOutcome) => point.costUsd ?? point.escalated
  const points = all
    .sort((a, b) => price(a) - price(b) || sign * (b.quality - a.quality))
    .filter(keepImproving((point) => sign * point.quality))
  const curve = {
    stages: variants.map(({ name }) => name),
    points,
    chosen: chooseThreshold(samples, combinations, metric, { margin, folds, seed }),
    method: `simulated from ${samples.length} answers that all stages gave; ${all.length} cascades, those that no other beats; thresholds by ${folds}-fold cross-validation, margin ${margin}, seed ${seed}`,
  }
  return { ...curve, sentence: routerSentence(curve, metric) }
}

/** Keeps what is better than everything before it. */
function keepImproving<Item>(value: (item: Item) => number): (item: Item) => boolean {
  let best = Number.NEGATIVE_INFINITY
  return (item) => {
    if (value(item) <= best) return false
    best = value(item)
    return true
  }
}

/** From "never escalate" (0) over quantiles of the stage's confidences to "always" (above 1). */
function thresholdGrid(samples: readonly RoutedSample[], stage: number, most: number): number[] {
  const values = samples.flatMap(({ stages }) => confidence(stages[stage]) ?? [])
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  const steps = Math.max(2, most - 1)
  const picked =
    distinct.length <= steps
      ? distinct
      : Array.from({ length: steps }, (_, i) => distinct[Math.floor((i * distinct.length) / steps)] as number)
  // Escalation is strictly below t, so the last step needs a threshold above every confidence.
  const above = (distinct.at(-1) ?? 1) >= 1 ? 1 + 1e-9 : 1
  return [...new Set([0, ...picked, above])].sort((a, b) => a - b)
}

function confidence(stage: CascadeStage | undefined): number | null {
  return stage?.confidence ?? null
}
