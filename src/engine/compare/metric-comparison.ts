import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricRow } from "../../core/metric/scored-variant.ts"
import type { MetricComparison } from "../../core/report/comparison.ts"
import { samplesWithoutChange } from "../../stats/intervals/unchanged-interval.ts"
import { pairedCohensD } from "../../stats/tests/effect-size.ts"
import { mcnemarExact } from "../../stats/tests/mcnemar.ts"
import { marginVerdict, samplesAtThisPace, samplesToSettle } from "../../stats/tests/non-inferiority.ts"
import { minimumDetectableEffect } from "../../stats/tests/power.ts"
import { wilcoxonSignedRank } from "../../stats/tests/wilcoxon.ts"
import { type AlignedRows, alignRows } from "./align.ts"
import { anytimeEstimate, type SequentialDesign } from "./anytime-estimate.ts"
import { missingBounds } from "./missing-bounds.ts"
import { type PairedEstimate, pairedEstimate } from "./paired-estimate.ts"
import { type SampleDifference, sampleDifferences } from "./sample-differences.ts"

/** Options of {@link compareMetric}. */
export interface CompareMetricOptions {
  readonly primary: boolean
  /** In the metric's own unit. */
  readonly margin: number
  readonly alpha: number
  readonly seed: number | string
  /** Set for a run that may have stopped on what it saw. */
  readonly sequential?: SequentialDesign | null
}

/** A metric's comparison before p-values are adjusted over all metrics and the sentence is written. */
export type MetricFinding = Omit<MetricComparison, "pAdjusted" | "sentence">

/** Compares one metric of two variants; see {@link MetricComparison}. */
export function compareMetric(
  metric: AnyMetric,
  baseline: readonly MetricRow[],
  candidate: readonly MetricRow[],
  options: CompareMetricOptions,
): MetricFinding {
  const aligned = alignRows(baseline, candidate)
  const { margin, sequential = null } = options
  const alpha = sequential && options.primary ? options.alpha / sequential.comparisons : options.alpha
  const fixed = pairedEstimate(metric, aligned.pairs, alpha, options.seed)
  const estimate =
    fixed && sequential ? anytimeEstimate(metric, aligned.pairs, fixed, { order: sequential.order, alpha }) : fixed
  const differences = sampleDifferences(aligned.pairs)
  const clusters = new Set(aligned.pairs.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster])))
  const d = pairedCohensD(differences.map((entry) => entry.difference))
  return {
    metric: metric.name,
    direction: metric.direction,
    primary: options.primary,
    n: aligned.samples,
    pairs: aligned.pairedSamples,
    clusters: clusters.size === 0 ? null : clusters.size,
    meanBaseline: estimate?.baseline ?? null,
    meanCandidate: estimate?.candidate ?? null,
    difference: estimate ? estimate.candidate - estimate.baseline : null,
    low: estimate?.low ?? null,
    high: estimate?.high ?? null,
    lowBound: estimate?.lowBound ?? null,
    highBound: estimate?.highBound ?? null,
    p: estimate?.p ?? null,
    method: estimate?.method ?? "no pairs",
    margin,
    ...settle(metric, estimate, aligned, margin, alpha, sequential !== null),
    minimumDetectableEffect: estimate?.error ? minimumDetectableEffect(estimate.error, alpha) : null,
    effectSize: Number.isFinite(d) ? d : null,
    mcnemar: mcnemar(metric, aligned, differences),
    wilcoxon: sequential ? null : wilcoxonSignedRank(differences.map((entry) => rounded(entry.difference))),
    missing: missingBounds(metric, aligned),
  }
}

/** The verdict against the margin, on the side that is better for this metric, and what would settle it. */
function settle(
  metric: AnyMetric,
  estimate: PairedEstimate | null,
  aligned: AlignedRows,
  margin: number,
  alpha: number,
  sequential: boolean,
): Pick<MetricComparison, "verdict" | "neededN"> {
  if (!estimate) return { verdict: "not_comparable", neededN: null }
  const { value, lowBound, highBound, error, unchanged } = estimate
  if (lowBound === null || highBound === null) return { verdict: "inconclusive", neededN: null }
  const sign = metric.direction === "higher" ? 1 : -1
  const low = sign === 1 ? lowBound : -highBound
  const high = sign === 1 ? highBound : -lowBound
  const verdict = marginVerdict(low, high, margin)
  if (verdict !== "inconclusive") return { verdict, neededN: null }
  const samples = aligned.pairedSamples
  const needed = sequential
    ? samplesAtThisPace(sign * value, low, high, margin, error ?? 0, samples)
    : unchanged || !error
      ? samplesWithoutChange(metric.range[1] - metric.range[0], margin, alpha)
      : samplesToSettle(sign * value, error * Math.sqrt(samples), margin, alpha)
  return { verdict, neededN: needed === null ? null : Math.max(needed, samples + 1) }
}

/** Right→wrong and wrong→right, where every score is 0 or 1 and each sample was asked once. */
function mcnemar(
  metric: AnyMetric,
  aligned: AlignedRows,
  differences: readonly SampleDifference[],
): MetricComparison["mcnemar"] {
  const binary = aligned.pairs.every(({ baseline, candidate }) => isBinary(baseline.value) && isBinary(candidate.value))
  if (!binary || aligned.pairs.length === 0 || aligned.pairs.length !== differences.length) return null
  const sign = metric.direction === "higher" ? 1 : -1
  const b = differences.filter(({ difference }) => sign * difference < 0).length
  const c = differences.filter(({ difference }) => sign * difference > 0).length
  return { b, c, p: mcnemarExact(b, c) }
}

function isBinary(value: number | null): boolean {
  return value === 0 || value === 1
}

/** Differences that agree to 12 digits tie, however they were added up. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
