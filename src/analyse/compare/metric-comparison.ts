import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { CompleteDifference, MetricComparison, MetricVerdict, MissingRule } from "../../core/report/comparison.ts"
import { type PairedEstimate, type PairedEstimator, pairedEstimator } from "../../estimate/paired-estimate.ts"
import { differenceColumns, isBinary } from "../../estimate/sample-differences.ts"
import type { RowPair } from "../../rows/align.ts"
import { filterRows } from "../../rows/columns/part-rows.ts"
import { countFailures } from "../../rows/count-failures.ts"
import { type AbsentRows, type CountedRows, countRows } from "../../rows/missing-rows.ts"
import { pairsBehind } from "../../rows/pair-columns.ts"
import { normalQuantile } from "../../stats/distributions.ts"
import { pairedCohensD } from "../../stats/tests/effect-size.ts"
import { mcnemarExact } from "../../stats/tests/mcnemar.ts"
import { marginVerdict } from "../../stats/tests/non-inferiority.ts"
import { defaultPower, minimumDetectableEffect } from "../../stats/tests/power.ts"
import { isNearAlpha } from "../../stats/tests/refined-p.ts"
import { wilcoxonSignedRank } from "../../stats/tests/wilcoxon.ts"
import { isSameQuestion } from "../../text/questions/repeated-questions.ts"
import { comparisonDoubts } from "../../wording/verdict/doubts.ts"
import { boundWarningTexts } from "../../words/reasons/estimate.ts"
import type { BetQuestion } from "../interim/bet-on.ts"
import { designOf, type EstimatorOf, levelForMore, readEstimate } from "../interim/read-estimate.ts"
import type { CandidateDesign } from "../interim/reading.ts"
import { adjustEstimate } from "./difficulty/adjust-estimate.ts"
import type { ItemDifficulty } from "./difficulty/item-difficulty.ts"
import { type MarginKind, marginFor } from "./margin.ts"
import { missingBounds } from "./missing-bounds.ts"
import { type NeededSamples, neededSamples } from "./needed-samples.ts"
import { readingThatTurns } from "./other-readings.ts"

/** Options of {@link compareMetric}. */
export interface CompareMetricOptions {
  readonly primary: boolean
  readonly margin: number
  /** `unit` by default: the margin is in the metric's own unit. */
  readonly marginKind?: MarginKind
  readonly alpha: number
  /** Error rate of the one-sided bounds that the margin is compared with, where several candidates share alpha. */
  readonly boundAlpha?: number
  /** Error rate that a further look at this candidate may count on; `boundAlpha` by default. */
  readonly planAlpha?: number
  /** Whether an open question is told how many samples would settle it, which takes most of the time. Default true. */
  readonly isPlanned?: boolean
  readonly seed: number | string
  /** Set for a run that is read more than once. */
  readonly reading?: CandidateDesign | null
  /** `worst` by default. */
  readonly missing?: MissingRule
  /** `not_asked` by default. */
  readonly absentRows?: AbsentRows
  /** How hard earlier runs found the items, by metric. */
  readonly difficulty?: ReadonlyMap<string, ItemDifficulty> | undefined
}

/** A metric's comparison before p-values are adjusted over all metrics and the sentence is written. */
export type MetricFinding = Omit<MetricComparison, "pAdjusted" | "sentence" | "evidence">

/** Compares one metric of two variants; see {@link MetricComparison}. */
export function compareMetric(
  metric: AnyMetric,
  allBaseline: readonly MetricRow[],
  allCandidate: readonly MetricRow[],
  options: CompareMetricOptions,
): MetricFinding {
  const { reading = null, missing = "worst", absentRows = "not_asked", alpha, boundAlpha = alpha } = options
  const [baseline, candidate] = [askedRows(allBaseline, reading), askedRows(allCandidate, reading)]
  const rows = countRows(metric, baseline, candidate, { missing, absentRows })
  const { complete } = rows
  const counted = rows.countedAs === null ? metric : countFailures(metric, rows.countedAs)
  const difficulty = reading === null ? options.difficulty?.get(metric.name) : undefined
  const estimatorOf = onceFor((pairs: readonly RowPair[]) => {
    const used = pairs === complete.pairs ? metric : counted
    const plain = pairedEstimator(used, pairs, options.seed)
    if (!plain || !difficulty) return plain
    const at = (level: number) =>
      adjustEstimate(used, pairs, plain.at(level), difficulty, { alpha: level, seed: options.seed })
    return { ...plain, at }
  })
  const estimateOf = (pairs: readonly RowPair[]): PairedEstimate | null =>
    readEstimate(pairs, estimatorOf, { alpha, share: boundAlpha, reading, question: questionOf(metric, options) })
  // Without one pair that both sides have a score for there is nothing to compare, whichever side failed.
  const estimate = complete.pairs.length === 0 ? null : estimateOf(rows.all)
  const margin = marginFor(metric, options, estimate?.baseline ?? null)
  const completeEstimate = rows.all === complete.pairs ? estimate : estimateOf(complete.pairs)
  const { difference: differences } = differenceColumns(rows.all)
  const { samples: pairs, clusters, clusteredBy } = countUnits(rows.all)
  const d = pairedCohensD(differences)
  const settled = guarded(metric, estimate, margin, rows, estimateOf, completeEstimate)
  const turns = readingThatTurns(
    metric,
    baseline,
    candidate,
    settled.verdict,
    (...read) => compareMetric(...read, { ...options, isPlanned: false }).verdict,
  )
  const { verdict, abstain } = turns === undefined ? settled : ({ verdict: "inconclusive", abstain: turns } as const)
  const warnings = [
    ...boundWarningTexts(estimate?.warnings ?? []),
    ...(hangsOnSeed(estimate, alpha) ? [comparisonDoubts.nearAlpha] : []),
  ]
  const design = designOf(reading, boundAlpha, estimate?.levels)
  const needed =
    verdict === "inconclusive" && options.isPlanned !== false && estimate && abstain === undefined
      ? needs(metric, estimate, pairs, margin, options.planAlpha ?? boundAlpha, reading, rows.all, estimatorOf)
      : null
  return {
    metric: metric.name,
    direction: metric.direction,
    primary: options.primary,
    n: complete.samples,
    pairs: estimate ? pairs : 0,
    // Declared clusters of one sample each are no clusters.
    clusters: clusters === pairs ? null : clusters,
    ...(clusters !== pairs && clusteredBy && { clusteredBy }),
    meanBaseline: estimate?.baseline ?? null,
    meanCandidate: estimate?.candidate ?? null,
    difference: estimate ? differenceOf(estimate) : null,
    low: estimate?.low ?? null,
    high: estimate?.high ?? null,
    lowBound: estimate?.lowBound ?? null,
    highBound: estimate?.highBound ?? null,
    boundAlpha,
    p: estimate?.p ?? null,
    ...(estimate?.pError && { pError: estimate.pError }),
    method: estimate?.method ?? "no pairs",
    margin,
    verdict,
    ...(abstain === undefined ? {} : { abstain }),
    ...(estimate?.covariate && { covariate: estimate.covariate }),
    ...(design && { design }),
    ...(warnings.length > 0 && { warnings }),
    neededN: needed?.samples ?? null,
    ...(needed && { neededAs: needed.as, ...(needed.if && { neededIf: needed.if }) }),
    minimumDetectableEffect: estimate?.error ? detectable(metric, estimate, estimate.error, alpha) : null,
    effectSize: Number.isFinite(d) ? d : null,
    mcnemar: mcnemar(metric, rows.all, differences),
    wilcoxon: design ? null : wilcoxonSignedRank(differences.map(rounded)),
    missing: {
      ...missingBounds(metric, complete, rows.countedAs === null ? 0 : rows.failedBoth),
      rule: missing,
      failedBaseline: rows.failedBaseline,
      failedCandidate: rows.failedCandidate,
      ...(rows.failedBoth > 0 && { failedBoth: rows.failedBoth }),
      unmeasuredBaseline: rows.unmeasuredBaseline,
      unmeasuredCandidate: rows.unmeasuredCandidate,
      countedAs: rows.countedAs,
      countedFrom: rows.countedFrom,
      complete: completeEstimate && completeDifference(metric, completeEstimate, complete.pairedSamples, margin),
    },
  }
}

/** Different samples and clusters of some pairs; a sample without one is its own. */
function countUnits(
  pairs: readonly RowPair[],
): { readonly samples: number; readonly clusters: number } & Pick<MetricComparison, "clusteredBy"> {
  const { answers } = pairsBehind(pairs)
  const { ids, order } = answers
  const clusters = new Set<string>()
  const origins = new Set<boolean>()
  let [samples, single] = [0, 0]
  for (let i = 0; i < ids.length; i++) {
    const [index, before] = order ? [order[i] as number, order[i - 1] ?? -1] : [i, i - 1]
    const isFirst = before < 0 || ids[index] !== ids[before]
    if (isFirst) samples++
    const cluster = answers.clusterAt(index)
    if (cluster === undefined) single += isFirst ? 1 : 0
    else if (clusters.size < clusters.add(cluster).size) origins.add(isSameQuestion(cluster))
  }
  const clusteredBy = origins.has(true) ? (origins.has(false) ? "field_and_question" : "question") : undefined
  return { samples, clusters: clusters.size + single, ...(clusteredBy && { clusteredBy }) }
}

/** The estimator of each list of pairs, made once: a bootstrap over a corpus is not drawn again to plan its next samples. */
function onceFor(make: EstimatorOf): EstimatorOf {
  const made = new Map<readonly RowPair[], PairedEstimator | null>()
  return (pairs) => {
    let estimator = made.get(pairs)
    if (estimator === undefined) {
      estimator = make(pairs)
      made.set(pairs, estimator)
    }
    return estimator
  }
}

/** What a bound by betting would have to show; null where a metric is no mean with limits. */
function questionOf(metric: AnyMetric, options: CompareMetricOptions): BetQuestion | null {
  const { range, direction, aggregation } = metric
  if (aggregation.kind !== "mean" || !Number.isFinite(range[1] - range[0])) return null
  // With limits no margin depends on the baseline.
  return { margin: marginFor(metric, options, null), side: direction === "higher" ? "lower" : "upper", range }
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
  const isFine = (metricVerdict: MetricVerdict) => metricVerdict === "better" || metricVerdict === "non_inferior"
  if (isFine(verdict) && rows.failedBaseline + rows.unmeasuredBaseline > 0)
    return complete && isFine(verdictOf(metric, complete, margin))
      ? { verdict }
      : { verdict: "inconclusive", abstain: comparisonDoubts.byBaselineFailures }
  if (verdict === "inferior" && rows.unmeasuredCandidate > 0) {
    const result = estimateOf(rows.failuresOnly)
    return result && verdictOf(metric, result, margin) === "inferior"
      ? { verdict }
      : { verdict: "inconclusive", abstain: comparisonDoubts.byMissingScores }
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
  const worstBound = metric.direction === "higher" ? estimate.lowBound : estimate.highBound
  const verdict = verdictOf(metric, estimate, margin)
  return { pairs, difference: differenceOf(estimate), low, high, worstBound, verdict }
}

/**
 * Smallest gain that so many pairs show with 80 % power: the two-sided test must find it, and the bound that decides must leave 0
 * out, which lies farther away than a test's where few pairs differ.
 */
function detectable(metric: AnyMetric, estimate: PairedEstimate, error: number, alpha: number): number {
  const { value, lowBound, highBound } = estimate
  const bound = metric.direction === "higher" ? lowBound : highBound
  const gap = bound === null ? 0 : Math.abs(value - bound)
  return Math.max(minimumDetectableEffect(error, alpha), gap + normalQuantile(defaultPower) * error)
}

/** What would settle an open verdict, by the method that will decide. */
function needs(
  metric: AnyMetric,
  { value, lowBound, highBound, error, unchanged }: PairedEstimate,
  samples: number,
  margin: number,
  share: number,
  reading: CandidateDesign | null,
  pairs: readonly RowPair[],
  estimatorOf: EstimatorOf,
): NeededSamples | null {
  const estimator = estimatorOf(pairs)
  if (lowBound === null || highBound === null || !estimator) return null
  const seen = unchanged ? 0 : (error ?? 0)
  const likely = seen === 0 ? 0 : Math.sqrt(seen ** 2 + unseenVarianceOf(pairs) / samples)
  const sign = metric.direction === "higher" ? 1 : -1
  const difference = sign * value
  // The bound that would decide, on the metric's own scale.
  const side = difference + margin > 0 === (sign === 1) ? "lower" : "upper"
  return neededSamples({
    difference,
    error: likely,
    samples,
    margin,
    level: share,
    levelForMore: levelForMore(pairs, estimatorOf, reading, { share, mean: -sign * margin, side }),
    gap(count, level) {
      const projected = estimator.projected(level, count / samples)
      const bound = side === "lower" ? projected.lowBound : projected.highBound
      if (bound === null) return null
      // What earlier runs explain, and what few changed pairs have not shown yet, narrows or widens it in proportion.
      const ratio = projected.error && seen > 0 ? (likely * Math.sqrt(samples / count)) / projected.error : 1
      return Math.abs(projected.value - bound) * ratio
    },
  })
}

/** What few changed pairs have not shown of their variance yet: one more change among n + 2. 0 where most pairs differ. */
function unseenVarianceOf(pairs: readonly RowPair[]): number {
  const differences = differenceColumns(pairs).difference.map(Math.abs)
  const same = differences.reduce((count, difference) => count + Number(difference === 0), 0)
  if (same <= differences.length / 2) return 0
  return differences.reduce((max, difference) => Math.max(max, difference), 0) ** 2 / (differences.length + 2)
}

/** Rows of the samples that had been asked when the candidate was read. */
function askedRows(rows: readonly MetricRow[], reading: CandidateDesign | null): readonly MetricRow[] {
  return reading?.kind === "looks" ? filterRows(rows, (sampleId) => reading.asked.has(sampleId)) : rows
}

/** Right→wrong and wrong→right, where every score is 0 or 1 and each sample was asked once. */
function mcnemar(metric: AnyMetric, pairs: readonly RowPair[], differences: Float64Array): MetricComparison["mcnemar"] {
  if (pairs.length === 0 || pairs.length !== differences.length || !isBinary(pairs)) return null
  const sign = metric.direction === "higher" ? 1 : -1
  const b = differences.filter((difference) => sign * difference < 0).length
  const c = differences.filter((difference) => sign * difference > 0).length
  return { b, c, p: mcnemarExact(b, c) }
}

/** A bound of the negatives; null stays null. */
export function negative(value: number | null): number | null {
  return value === null ? null : -value
}

/** Differences that agree to 12 digits tie, however they were added up. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
