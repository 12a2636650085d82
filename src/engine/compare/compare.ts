import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Comparison, MetricComparison, Verdict } from "../../core/report/comparison.ts"
import type { Figure } from "../../core/report/figure.ts"
import { identityCheck } from "../run/identity.ts"
import { adjustedByMetric } from "./adjust-comparisons.ts"
import { alignRows } from "./align.ts"
import type { SequentialDesign } from "./anytime-estimate.ts"
import { comparisonSentence, metricSentence } from "./comparison-sentences.ts"
import { compareMetric } from "./metric-comparison.ts"
import { pairedPerformance, pairedShares } from "./paired-performance.ts"
import { sampleDifferences } from "./sample-differences.ts"

/** Options of {@link compareVariants}. */
export interface CompareOptions {
  readonly baseline: ScoredVariant
  readonly candidate: ScoredVariant
  readonly metrics: readonly AnyMetric[]
  /** Names of the metrics that decide; all others are exploration. */
  readonly primary: readonly string[]
  /** Largest loss that counts as "not worse", in each primary metric's own unit. */
  readonly margin: number
  readonly alpha: number
  readonly seed: number | string
  /** Figures of pair metrics, such as token-level divergence. */
  readonly divergence?: Readonly<Record<string, Figure>>
  /** Set for a run that may have stopped on what it saw: intervals are then those of a confidence sequence. */
  readonly sequential?: SequentialDesign | null
}

/**
 * Compares two variants paired by sample and repeat: every metric with interval, p and verdict, latency and cost, flips,
 * identity, and the overall verdict. Differences are candidate − baseline. Holm over the primary metrics,
 * Benjamini–Hochberg over the others. The order of the rows does not matter.
 */
export function compareVariants(options: CompareOptions): Comparison {
  const { baseline, candidate, metrics, margin, alpha, seed } = options
  const primary = new Set(options.primary)
  const findings = metrics.map((metric) =>
    compareMetric(metric, baseline.rows.get(metric.name) ?? [], candidate.rows.get(metric.name) ?? [], {
      primary: primary.has(metric.name),
      margin,
      alpha,
      seed,
      sequential: options.sequential ?? null,
    }),
  )
  const adjusted = adjustedByMetric(findings)
  const compared = findings.map((finding, i): MetricComparison => {
    const complete = { ...finding, pAdjusted: adjusted.get(finding) ?? null }
    return {
      ...complete,
      sentence: metricSentence(complete, metrics[i] as AnyMetric, baseline.name, candidate.name),
    }
  })
  const verdict = overallVerdict(compared)
  const facts = {
    baseline: baseline.name,
    candidate: candidate.name,
    metrics: compared,
    performance: pairedPerformance(baseline, candidate, { alpha, seed }),
    flips: flipsOf(options, metrics),
    identity: identityCheck(baseline, candidate),
    divergence: options.divergence ?? {},
    verdict,
  }
  return { ...facts, sentence: comparisonSentence(facts, pairedShares(baseline, candidate)) }
}

/** Swap when every primary metric is better or not inferior; keep when one is inferior. */
export function overallVerdict(metrics: readonly MetricComparison[]): Verdict {
  const deciding = metrics.filter((metric) => metric.primary)
  const verdicts = new Set(deciding.map((metric) => metric.verdict))
  if (deciding.length === 0 || verdicts.has("not_comparable")) return "not_comparable"
  if (verdicts.has("inferior")) return "keep"
  return verdicts.has("inconclusive") ? "inconclusive" : "swap"
}

/** Samples whose first primary metric went right→wrong or wrong→right; null when its scores are not 0 or 1. */
function flipsOf(options: CompareOptions, metrics: readonly AnyMetric[]): Comparison["flips"] {
  const metric = metrics.find(({ name }) => name === options.primary[0])
  if (!metric) return null
  const rows = (variant: ScoredVariant) => variant.rows.get(metric.name) ?? []
  const { pairs } = alignRows(rows(options.baseline), rows(options.candidate))
  const binary = (value: number | null) => value === 0 || value === 1
  if (
    pairs.length === 0 ||
    !pairs.every(({ baseline, candidate }) => binary(baseline.value) && binary(candidate.value))
  )
    return null
  const right = (value: number) => (metric.direction === "higher" ? value > 0.5 : value < 0.5)
  const wrong = (value: number) => (metric.direction === "higher" ? value < 0.5 : value > 0.5)
  const samples = sampleDifferences(pairs)
  return {
    lost: samples.filter((s) => right(s.baseline) && wrong(s.candidate)).map((s) => s.sampleId),
    won: samples.filter((s) => wrong(s.baseline) && right(s.candidate)).map((s) => s.sampleId),
  }
}
