import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricRow } from "../../core/metric/scored-variant.ts"
import type { CompleteDifference, MetricComparison, MetricVerdict, MissingRule } from "../../core/report/comparison.ts"
import { pairedCohensD } from "../../stats/tests/effect-size.ts"
import { mcnemarExact } from "../../stats/tests/mcnemar.ts"
import { marginVerdict, samplesAtThisPace } from "../../stats/tests/non-inferiority.ts"
import { minimumDetectableEffect } from "../../stats/tests/power.ts"
import { isNearAlpha } from "../../stats/tests/refined-p.ts"
import { wilcoxonSignedRank } from "../../stats/tests/wilcoxon.ts"
import type { RowPair } from "./align.ts"
import { anytimeEstimate, type SequentialDesign } from "./anytime-estimate.ts"
import { countFailures } from "./count-failures.ts"
import { adjustEstimate } from "./difficulty/adjust-estimate.ts"
import type { ItemDifficulty } from "./difficulty/item-difficulty.ts"
import { type MarginKind, marginFor } from "./margin.ts"
import { warningWords } from "./mean-difference.ts"
import { missingBounds } from "./missing-bounds.ts"
import { type AbsentRows, type CountedRows, countRows } from "./missing-rows.ts"
import { samplesOfNewRun } from "./needed-samples.ts"
import { type PairedEstimate, pairedEstimate } from "./paired-estimate.ts"
import { type SampleDifference, sampleDifferences } from "./sample-differences.ts"

/** Options of {@link compareMetric}. */
export interface CompareMetricOptions {
  readonly primary: boolean
  readonly margin: number
  /** `unit` by default: the margin is in the metric's own unit. */
  readonly marginKind?: MarginKind
  readonly alpha: number
  /** Error rate of the one-sided bounds that the margin is compared with, where several candidates share alpha. */
  readonly boundAlpha?: number
  readonly seed: number | string
  /** Set for a run that may have stopped on what it saw. */
  readonly sequential?: SequentialDesign | null
  /** `worst` by default. */
  readonly missing?: MissingRule
  /** `not_asked` by default. */
  readonly absentRows?: AbsentRows
  /** How hard earlier runs found the items, by metric. */
  readonly difficulty?: ReadonlyMap<string, ItemDifficulty> | undefined
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
  const { sequential = null, missing = "worst", absentRows = "not_asked" } = options
  const rows = countRows(metric, baseline, candidate, { missing, absentRows })
  const { complete } = rows
  const alpha = sequential && options.primary ? options.alpha / sequential.comparisons : options.alpha
  const counted = rows.countedAs === null ? metric : countFailures(metric, rows.countedAs)
  const difficulty = options.difficulty?.get(metric.name)
  const estimateAt = (used: AnyMetric, pairs: readonly RowPair[], level: number) => {
    const plain = pairedEstimate(used, pairs, level, options.seed)
    return plain && difficulty && !sequential
      ? adjustEstimate(used, pairs, plain, difficulty, { alpha: level, seed: options.seed })
      : plain
  }
  const estimateOf = (pairs: readonly RowPair[]): PairedEstimate | null => {
    const used = pairs === complete.pairs ? metric : counted
    const fixed = estimateAt(used, pairs, alpha)
    if (!fixed) return null
    if (sequential) return anytimeEstimate(used, pairs, fixed, { order: sequential.order, alpha })
    return options.boundAlpha === undefined || options.boundAlpha === alpha
      ? fixed
      : withBounds(fixed, estimateAt(used, pairs, options.boundAlpha))
  }
  // Without one pair that both sides have a score for there is nothing to compare, whichever side failed.
  const estimate = complete.pairs.length === 0 ? null : estimateOf(rows.all)
  const margin = marginFor(metric, options, estimate?.baseline ?? null)
  const completeEstimate = rows.all === complete.pairs ? estimate : estimateOf(complete.pairs)
  const differences = sampleDifferences(rows.all)
  const pairs = new Set(rows.all.map(({ sampleId }) => sampleId)).size
  const clusters = new Set(rows.all.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster])))
  const d = pairedCohensD(differences.map((entry) => entry.difference))
  const { verdict, abstain } = guarded(metric, estimate, margin, rows, estimateOf, completeEstimate)
  const warnings = [
    ...(estimate?.warnings ?? []).map((one) => warningWords[one]),
    ...(hangsOnSeed(estimate, alpha) ? ["p lies so near alpha that another seed could move it across"] : []),
  ]
  return {
    metric: metric.name,
    direction: metric.direction,
    primary: options.primary,
    n: complete.samples,
    pairs: estimate ? pairs : 0,
    clusters: clusters.size === 0 ? null : clusters.size,
    meanBaseline: estimate?.baseline ?? null,
    meanCandidate: estimate?.candidate ?? null,
    difference: estimate ? differenceOf(estimate) : null,
    low: estimate?.low ?? null,
    high: estimate?.high ?? null,
    lowBound: estimate?.lowBound ?? null,
    highBound: estimate?.highBound ?? null,
    boundAlpha: options.boundAlpha ?? alpha,
    p: estimate?.p ?? null,
    ...(estimate?.pError && { pError: estimate.pError }),
    method: estimate?.method ?? "no pairs",
    margin,
    verdict,
    ...(abstain === undefined ? {} : { abstain }),
    ...(estimate?.covariate && { covariate: estimate.covariate }),
    ...(sequential && { isSequential: true }),
    ...(warnings.length > 0 && { warnings }),
    neededN:
      verdict === "inconclusive" && estimate && abstain === undefined
        ? neededSamples(metric, estimate, pairs, margin, alpha, sequential !== null)
        : null,
    minimumDetectableEffect: estimate?.error ? minimumDetectableEffect(estimate.error, alpha) : null,
    effectSize: Number.isFinite(d) ? d : null,
    mcnemar: mcnemar(metric, rows.all, differences),
    wilcoxon: sequential ? null : wilcoxonSignedRank(differences.map((entry) => rounded(entry.difference))),
    missing: {
      ...missingBounds(metric, complete),
      rule: missing,
      failedBaseline: rows.failedBaseline,
      failedCandidate: rows.failedCandidate,
      unmeasuredBaseline: rows.unmeasuredBaseline,
      unmeasuredCandidate: rows.unmeasuredCandidate,
      countedAs: rows.countedAs,
      countedFrom: rows.countedFrom,
      complete: completeEstimate && completeDifference(metric, completeEstimate, complete.pairedSamples, margin),
    },
  }
}

/**
 * The verdict over all pairs, where it does not depend on what is unknown: a candidate that is as good only because
 * the baseline failed, or worse only because of a measurement that failed, is open.
 */
function guarded(
  metric: AnyMetric,
  estimate: PairedEstimate | null,
  margin: number,
  rows: CountedRows,
  estimateOf: (pairs: readonly RowPair[]) => PairedEstimate | null,
  complete: PairedEstimate | null,
): { readonly verdict: MetricVerdict; readonly abstain?: string } {
  if (!estimate) return { verdict: "not_comparable" }
  if (estimate.abstain !== undefined) return { verdict: "inconclusive", abstain: estimate.abstain }
  const verdict = verdictOf(metric, estimate, margin)
  if (rows.countedAs === null) return { verdict }
  const isFine = (one: MetricVerdict) => one === "better" || one === "non_inferior"
  if (isFine(verdict) && rows.failedBaseline + rows.unmeasuredBaseline > 0)
    return complete && isFine(verdictOf(metric, complete, margin))
      ? { verdict }
      : { verdict: "inconclusive", abstain: "it would be as good only because answers of the baseline failed" }
  if (verdict === "inferior" && rows.unmeasuredCandidate > 0) {
    const known = estimateOf(rows.failuresOnly)
    return known && verdictOf(metric, known, margin) === "inferior"
      ? { verdict }
      : { verdict: "inconclusive", abstain: "answers of the candidate without a score decide it" }
  }
  return { verdict }
}

/** The verdict of one-sided bounds against the margin, on the side that is better for this metric. */
function verdictOf(metric: AnyMetric, estimate: PairedEstimate, margin: number): MetricVerdict {
  const { lowBound, highBound } = estimate
  const [low, high] = metric.direction === "higher" ? [lowBound, highBound] : [negative(highBound), negative(lowBound)]
  if (low === null || high === null) return "inconclusive"
  return marginVerdict(low, high, margin)
}

function hangsOnSeed(estimate: PairedEstimate | null, alpha: number): boolean {
  return estimate?.p != null && isNearAlpha({ p: estimate.p, error: estimate.pError ?? 0 }, alpha)
}

/** Candidate − baseline; moved by what earlier runs know of the items, where they are used. */
function differenceOf({ baseline, candidate, value, covariate }: PairedEstimate): number {
  return covariate && covariate.reason === undefined ? value : candidate - baseline
}

function completeDifference(
  metric: AnyMetric,
  estimate: PairedEstimate,
  pairs: number,
  margin: number,
): CompleteDifference {
  const { low, high } = estimate
  return { pairs, difference: differenceOf(estimate), low, high, verdict: verdictOf(metric, estimate, margin) }
}

/** What would settle an open verdict: samples of a new run, or in all of a run that may be looked at while it goes on. */
function neededSamples(
  metric: AnyMetric,
  { value, lowBound, highBound, error, unchanged }: PairedEstimate,
  samples: number,
  margin: number,
  alpha: number,
  sequential: boolean,
): number | null {
  if (lowBound === null || highBound === null) return null
  const sign = metric.direction === "higher" ? 1 : -1
  const [low, high] = sign === 1 ? [lowBound, highBound] : [-highBound, -lowBound]
  if (!sequential)
    return samplesOfNewRun({
      difference: sign * value,
      low,
      high,
      error: unchanged ? 0 : (error ?? 0),
      samples,
      margin,
      alpha,
      width: metric.range[1] - metric.range[0],
    })
  const needed = samplesAtThisPace(sign * value, low, high, margin, error ?? 0, samples)
  return needed === null ? null : Math.max(needed, samples + 1)
}

/** The estimate with the one-sided bounds of another error rate. */
function withBounds(estimate: PairedEstimate, other: PairedEstimate | null): PairedEstimate {
  return { ...estimate, lowBound: other?.lowBound ?? null, highBound: other?.highBound ?? null }
}

/** Right→wrong and wrong→right, where every score is 0 or 1 and each sample was asked once. */
function mcnemar(
  metric: AnyMetric,
  pairs: readonly RowPair[],
  differences: readonly SampleDifference[],
): MetricComparison["mcnemar"] {
  const binary = pairs.every(({ baseline, candidate }) => isBinary(baseline.value) && isBinary(candidate.value))
  if (!binary || pairs.length === 0 || pairs.length !== differences.length) return null
  const sign = metric.direction === "higher" ? 1 : -1
  const b = differences.filter(({ difference }) => sign * difference < 0).length
  const c = differences.filter(({ difference }) => sign * difference > 0).length
  return { b, c, p: mcnemarExact(b, c) }
}

function isBinary(value: number | null): boolean {
  return value === 0 || value === 1
}

function negative(value: number | null): number | null {
  return value === null ? null : -value
}

/** Differences that agree to 12 digits tie, however they were added up. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
