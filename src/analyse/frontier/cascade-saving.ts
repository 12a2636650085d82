import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { type CascadeOutcome, type MeanCosts, type RoutedSamples, stageReached } from "./cascade.ts"

/**
 * Whether a cascade is cheaper than its last stage alone, also at the unfavourable ends of the mean costs that some stages have in place
 * of prices of single answers. Their errors are independent, and add up as squares.
 */
export function isShownCheaper(
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
