import type { AnyMetric } from "../../core/metric/metric.ts"
import { meanDifference } from "../../estimate/mean-difference.ts"
import { pairedEstimator } from "../../estimate/paired-estimate.ts"
import { negative } from "../compare/metric-comparison.ts"
import { type CascadeOutcome, cascadeOutcome, cascadePairs, type RoutedSamples } from "./cascade.ts"

/** Options of {@link promisedThresholds}. */
export interface PromiseOptions {
  /** Largest loss against the last stage alone, in the metric's own unit. */
  readonly margin: number
  /** The bounds are an interval at 1 − alpha: a promise rests on its one end, at alpha / 2. */
  readonly alpha: number
  readonly seed: number | string
}

/** Thresholds of which it is shown that the cascade is not worse than its last stage by more than the margin. */
export interface PromisedThresholds extends CascadeOutcome {
  readonly thresholds: readonly number[]
  /** Cascade − last stage alone over the same samples, with the interval at the error rate that was used. */
  readonly difference: number
  readonly low: number | null
  readonly high: number | null
}

/**
 * The cheapest thresholds (those that escalate least where a cost is unknown) of which it is shown that the cascade stays
 * within the margin of its last stage alone; null where nothing can be shown. A path begins next to "always escalate", which
 * loses nothing, and goes on to where fewer samples are handed on. Its thresholds are tested in this order, each at
 * alpha / 2 / paths, until the first one of which it cannot be shown: so the choice among many costs nothing, and at most
 * alpha / 2 of all cascades are promised wrongly, which leaves at most about alpha of those that are promised [fixed-sequence testing: Maurer, Hothorn & Lehmacher 1995; for the choice of
 * thresholds: Angelopoulos et al. 2021, "Learn then Test"].
 *
 * @param paths thresholds of every stage but the last, in the order of the tests
 */
export function promisedThresholds(
  routed: RoutedSamples,
  paths: readonly (readonly (readonly number[])[])[],
  { margin, alpha, seed }: PromiseOptions,
): PromisedThresholds | null {
  const share = alpha / 2 / paths.length
  const shown = paths.flatMap((path) => {
    const promises: PromisedThresholds[] = []
    for (const thresholds of path) {
      const bounds = boundsOf(routed, thresholds, share, seed)
      const worst = routed.metric.direction === "higher" ? bounds?.low : bounds && negative(bounds.high)
      if (!bounds || worst === null || worst === undefined || !(worst > -margin)) break
      promises.push({ thresholds, ...cascadeOutcome(routed, thresholds), ...bounds })
    }
    return promises
  })
  return shown.reduce<PromisedThresholds | null>((best, row) => (best && price(best) <= price(row) ? best : row), null)
}

function price({ costUsd, escalated }: CascadeOutcome): number {
  return costUsd ?? escalated
}

function boundsOf(routed: RoutedSamples, thresholds: readonly number[], alpha: number, seed: number | string) {
  const pairs = cascadePairs(routed, thresholds)
  const estimate = isMean(routed.metric, pairs)
    ? meanDifference(pairs, routed.metric.range, { alpha, seed: String(seed), test: false })
    : (pairedEstimator(routed.metric, pairs, `${seed}/cascade`)?.at(alpha) ?? null)
  if (!estimate || estimate.abstain !== undefined) return null
  return { difference: estimate.value, low: estimate.lowBound, high: estimate.highBound }
}

function isMean(metric: AnyMetric, pairs: ReturnType<typeof cascadePairs>): boolean {
  return (
    metric.aggregation.kind === "mean" &&
    pairs.every(({ baseline, candidate }) => baseline.value !== null && candidate.value !== null)
  )
}
