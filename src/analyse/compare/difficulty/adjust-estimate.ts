import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { CovariateUse } from "../../../core/report/comparison.ts"
import type { PairedEstimate } from "../../../estimate/paired-estimate.ts"
import { sampleDifferences } from "../../../estimate/sample-differences.ts"
import type { RowPair } from "../../../rows/align.ts"
import { normalQuantile } from "../../../stats/distributions.ts"
import { controlVariate, minAdjusted } from "../../../stats/intervals/control-variate.ts"
import { mean, variance } from "../../../stats/mean.ts"
import { byText } from "../../../stats/order.ts"
import { noDifficulty } from "../../../wording/difficulty.ts"
import { methods } from "../../../wording/methods.ts"
import type { ItemDifficulty } from "./item-difficulty.ts"

/** How far the difficulty of asked and other items may differ, in standard errors, before they count as drawn differently. */
const maxDifference = 3

/**
 * An estimate moved by what earlier runs know of its items, with bounds that are narrower by what that explains: of each
 * bound's distance, the part that is the standard error shrinks; what a method adds for few or rare differences stays.
 * The p-value stays that of the plain differences. Where nothing can be adjusted, the estimate is as it was, with the reason.
 */
export function adjustEstimate(
  metric: AnyMetric,
  pairs: readonly RowPair[],
  estimate: PairedEstimate,
  difficulty: ItemDifficulty,
  options: { readonly alpha: number; readonly seed: number | string },
): PairedEstimate {
  const { runs } = difficulty
  const unused = (reason: string): PairedEstimate => ({ ...estimate, covariate: { runs, reason } })
  if (runs.length === 0) return unused(noDifficulty.noMetric)
  if (metric.aggregation.kind !== "mean") return unused(noDifficulty.noMean)
  const perSample = [...sampleDifferences(pairs)].sort((a, b) => byText(a.sampleId, b.sampleId))
  if (perSample.length !== estimate.units || perSample.length * repeatsOf(pairs) !== pairs.length)
    return unused(noDifficulty.clusters)
  const keys = perSample.map(({ sampleId }) => difficulty.contentOf.get(sampleId) ?? "")
  const asked = new Set(keys)
  const covariates = keys.map((key) => difficulty.scores.get(key) ?? null)
  const others = [...difficulty.scores].flatMap(([key, score]) => (asked.has(key) ? [] : [score])).sort((a, b) => a - b)
  const scores = covariates.filter((covariate): covariate is number => covariate !== null)
  if (others.length < 2) return unused(noDifficulty.noOthers)
  if (scores.length < minAdjusted) return unused(noDifficulty.fewItems(scores.length, minAdjusted))
  const difference = Math.abs(mean(scores) - mean(others))
  if (difference > maxDifference * Math.sqrt(variance(scores) / scores.length + variance(others) / others.length))
    return unused(noDifficulty.otherItems)
  const differences = perSample.map(({ difference }) => difference)
  const variate = controlVariate({ differences, covariates, others }, `${options.seed}/${metric.name}`)
  if (!variate || estimate.error === null) return unused(noDifficulty.noVariation)
  const ratio = Math.sqrt(variate.varianceRatio)
  const use: CovariateUse = {
    runs,
    matched: variate.matched,
    others: variate.others,
    lambda: variate.lambda,
    varianceRatio: variate.varianceRatio,
    savedSamples: Math.max(0, Math.round(perSample.length * (1 / variate.varianceRatio - 1))),
    plainDifference: estimate.candidate - estimate.baseline,
  }
  const error = estimate.error
  const width = metric.range[1] - metric.range[0]
  const moved = (bound: number | null, level: number): number | null => {
    if (bound === null) return null
    const distance = Math.abs(bound - estimate.value)
    const narrower = distance - (1 - ratio) * Math.min(distance, normalQuantile(level) * error)
    return Math.max(-width, Math.min(width, variate.value + Math.sign(bound - estimate.value) * narrower))
  }
  const { alpha } = options
  return {
    ...estimate,
    value: variate.value,
    error: ratio * error,
    low: moved(estimate.low, 1 - alpha / 2),
    high: moved(estimate.high, 1 - alpha / 2),
    lowBound: moved(estimate.lowBound, 1 - alpha),
    highBound: moved(estimate.highBound, 1 - alpha),
    method: methods.adjusted(estimate.method, runs.join(", "), variate.lambda.toFixed(2)),
    covariate: use,
  }
}

/** Repeats of the first sample. */
function repeatsOf(pairs: readonly RowPair[]): number {
  return pairs.filter(({ sampleId }) => sampleId === pairs[0]?.sampleId).length
}
