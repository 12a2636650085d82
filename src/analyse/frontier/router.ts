import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { RouterCurve } from "../../core/report/frontier.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { mean } from "../../stats/mean.ts"
import { methods } from "../../wording/methods.ts"
import { routerSentence } from "../../wording/verdict/router-sentence.ts"
import {
  type CascadeOutcome,
  type CascadeStage,
  cascadeOutcome,
  cascadeStages,
  type MeanCosts,
  qualityOf,
  type RoutedSamples,
  stageReached,
} from "./cascade.ts"
import { promisedThresholds } from "./promised-thresholds.ts"

/** Options of {@link routerCurve} and {@link cascadeCurve}. @experimental */
export interface RouterOptions {
  readonly seed: number | string
  /** Largest loss against the last stage alone that still counts as "as good", in the metric's own unit; 0.01 by default. */
  readonly margin?: number
  /** Share of the promises that may be wrong, at most; 0.05 by default. */
  readonly alpha?: number
  /** Cascades that share alpha because a reader chooses among them; 1 by default. */
  readonly family?: number
  /** Thresholds of a stage on the curve, at most; 101 by default, 13 with three stages. */
  readonly thresholds?: number
  /** Mean cost of an answer in USD by variant with its interval, for those whose answers have no price of their own (paid by the hour). */
  readonly meanCosts?: MeanCosts
}

/** Steps from "always escalate" to "never" that are tested, at most. */
const pathSteps = 20

/**
 * The cascade "ask `cheap`; when its confidence is below t ask `strong`" for every t, from answers that both already
 * gave: quality, cost and latency of each cascade with no further call. An escalated sample pays for both answers and
 * waits for both. A sample without a confidence is always escalated, an answer that failed as well. `chosen` is the cheapest
 * threshold of which it is shown that the cascade is not worse than `strong` alone by more than the margin, and null where
 * none is, or none saves anything.
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
  const routed = cascadeStages([cheap, strong], metric, options.meanCosts)
  if (!routed.samples.some(([first]) => first?.confidence != null)) return null
  const points = thresholdGrid(routed, 0, options.thresholds ?? 101).map((threshold) => ({
    threshold,
    ...cascadeOutcome(routed, [threshold]),
  }))
  const steps = thresholdGrid(routed, 0, pathSteps + 1)
    .toReversed()
    .slice(1)
  const paths = [steps.map((threshold) => [threshold])]
  return curveOf([cheap, strong], routed, points, paths, options)
}

/**
 * The cascade of three or more stages, each escalating below its own threshold: the points that no other point of the
 * grid beats in quality and cost (in quality and escalations where cost is unknown). `threshold` is the first stage's,
 * `thresholds` holds them all. `chosen` is found along a few paths through the grid, which share alpha.
 * @experimental
 */
export function cascadeCurve(
  variants: readonly ScoredVariant[],
  metric: AnyMetric,
  options: RouterOptions,
): RouterCurve | null {
  const routed = cascadeStages(variants, metric, options.meanCosts)
  if (variants.length < 2 || routed.samples.length === 0) return null
  const early = variants.slice(0, -1)
  const grids = early.map((_, stage) => thresholdGrid(routed, stage, options.thresholds ?? 13))
  const combinations = grids.reduce<number[][]>(
    (lists, grid) => lists.flatMap((list) => grid.map((threshold) => [...list, threshold])),
    [[]],
  )
  const all = combinations.map((list) => ({
    threshold: list[0] as number,
    thresholds: list,
    ...cascadeOutcome(routed, list),
  }))
  const sign = metric.direction === "higher" ? 1 : -1
  const price = (point: CascadeOutcome) => point.costUsd ?? point.escalated
  const points = all
    .sort((a, b) => price(a) - price(b) || sign * (b.quality - a.quality))
    .filter(keepImproving((point) => sign * point.quality))
  return curveOf(variants, routed, points, pathsThrough(routed, early.length), options)
}

/** A curve with the cascade that may be promised, in words. */
function curveOf(
  variants: readonly ScoredVariant[],
  routed: RoutedSamples,
  points: RouterCurve["points"],
  paths: readonly (readonly (readonly number[])[])[],
  { margin = 0.01, alpha = 0.05, family = 1, seed, meanCosts = new Map() }: RouterOptions,
): RouterCurve {
  const alone = lastAlone(routed)
  const shown = promisedThresholds(routed, paths, { margin, alpha: alpha / family, seed })
  const saves =
    shown !== null &&
    shown.escalated < 1 &&
    (shown.costUsd === null ||
      alone.costUsd === null ||
      isShownCheaper(variants, routed, shown, alone.costUsd, meanCosts))
  const samples = routed.samples.length
  const tested = paths.reduce((sum, path) => sum + path.length, 0)
  const among = family > 1 ? methods.amongCascades(family) : ""
  const curve = {
    stages: variants.map(({ name }) => name),
    points,
    alone,
    promise: { margin, alpha, family, samples, isShown: shown !== null },
    chosen: saves ? { ...shown, threshold: shown.thresholds[0] as number } : null,
    method: methods.simulatedCascade(samples, tested, margin, alpha, among),
  }
  return { ...curve, sentence: routerSentence(curve, routed.metric) }
}

function lastAlone({ samples, metric }: RoutedSamples) {
  const stages = samples.map((sample) => sample.at(-1) as CascadeStage)
  const meanOf = (values: readonly (number | null)[]) => (values.includes(null) ? null : mean(values as number[]))
  return {
    quality: qualityOf(stages, metric),
    costUsd: meanOf(stages.map(({ costUsd }) => costUsd)),
    e2eMs: meanOf(stages.map(({ e2eMs }) => e2eMs)),
  }
}

/**
 * Paths from "always escalate" to "never": all stages in step, and each early stage ahead of the others by the factor two.
 * The order depends on confidences alone, never on who was right.
 */
function pathsThrough(routed: RoutedSamples, early: number): number[][][] {
  const grids = Array.from({ length: early }, (_, stage) => thresholdGrid(routed, stage, pathSteps + 1).toReversed())
  const at = (grid: readonly number[], level: number) => grid[Math.round(level * (grid.length - 1))] as number
  const path = (speeds: readonly number[]) => {
    const steps = Array.from({ length: pathSteps }, (_, i) =>
      grids.map((grid, stage) => at(grid, Math.min(1, ((i + 1) / pathSteps) * (speeds[stage] as number)))),
    )
    return steps.filter((step, i) => String(step) !== String(steps[i - 1]))
  }
  const inStep = new Array<number>(early).fill(1)
  return [path(inStep), ...inStep.map((_, ahead) => path(inStep.map((_, stage) => (stage === ahead ? 1 : 0.5))))]
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
function thresholdGrid({ samples }: RoutedSamples, stage: number, max: number): number[] {
  const values = samples.flatMap((stages) => stages[stage]?.confidence ?? [])
  const distinct = [...new Set(values)].sort((a, b) => a - b)
  const steps = Math.max(2, max - 1)
  const picked =
    distinct.length <= steps
      ? distinct
      : Array.from({ length: steps }, (_, i) => distinct[Math.floor((i * distinct.length) / steps)] as number)
  // Escalation is strictly below t, so the last step needs a threshold above every confidence.
  const above = (distinct.at(-1) ?? 1) >= 1 ? 1 + 1e-9 : 1
  return [...new Set([0, ...picked, above])].sort((a, b) => a - b)
}

/**
 * Whether a cascade is cheaper than its last stage alone, also at the unfavourable ends of the mean costs that some stages have in place
 * of prices of single answers. Their errors are independent, and add up as squares.
 */
function isShownCheaper(
  variants: readonly ScoredVariant[],
  { samples }: RoutedSamples,
  { costUsd, thresholds }: Pick<CascadeOutcome, "costUsd"> & { readonly thresholds: readonly number[] },
  aloneUsd: number,
  meanCosts: MeanCosts,
): boolean {
  if (costUsd === null) return false
  const reached = variants.map(() => 0)
  for (const stages of samples)
    for (let stage = stageReached(stages, thresholds); stage >= 0; stage--) reached[stage]! += 1 / samples.length
  const errors = variants.map((variant, stage) => {
    const mean = factsBehind(variant.answers).figure("costUsd") ? null : meanCosts.get(variant.name)
    if (!mean) return 0
    // The last stage is paid for by every sample where it is alone.
    const weight = (reached[stage] as number) - (stage === variants.length - 1 ? 1 : 0)
    const { value, low = value, high = value } = mean
    const end = weight > 0 ? high : low
    return weight === 0 ? 0 : end === null ? Number.POSITIVE_INFINITY : weight * (end - value)
  })
  return costUsd + Math.hypot(...errors) < aloneUsd
}
