import type { Figure } from "./figure.ts"
import type { VariantReport } from "./report.ts"

/** Figures of a variant that experiment trackers keep, by the name that they show; those that are unknown are among them. */
export function trackedFigures(variant: VariantReport): readonly (readonly [string, Figure])[] {
  return [
    ...variant.quality.map(({ metric, figure }) => [metric, figure] as const),
    ["availability", variant.availability],
    ["ttft_ms.p50", variant.speed.ttftMs.p50],
    ["ttft_ms.p95", variant.speed.ttftMs.p95],
    ["e2e_ms.p50", variant.speed.e2eMs.p50],
    ["e2e_ms.p95", variant.speed.e2eMs.p95],
    ["cost_usd.per_query", variant.cost.perQueryUsd],
  ]
}

/** What a stage's name begins with: `stages.retrieve`, `stages.retrieve.p95`. */
export const stagePrefix = "stages."

/** What a gate rule calls the number of samples that must not break and went from right to wrong. */
export const criticalBreaks = "criticalBreaks"

/** What a gate rule calls the number of samples that break a hard check with the candidate alone, before the name of its metric. */
export const breakPrefix = "breaks."
