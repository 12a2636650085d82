import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Comparison, MetricComparison } from "../../core/report/comparison.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import { candidateDesignOf } from "../interim/reading.ts"
import { adjustedByMetric } from "./adjust-comparisons.ts"
import { type CompareOptions, comparisonOf } from "./comparison-of.ts"
import { compareMetric, type MetricFinding } from "./metric-comparison.ts"

/** Options of {@link compareCandidates}. */
export interface CandidatesOptions extends Omit<CompareOptions, "candidate" | "candidates"> {
  readonly candidates: readonly ScoredVariant[]
}

/** What findings are made from. */
export type FindingOptions = Omit<CandidatesOptions, "smallestGain">

/** One candidate's findings before they are worded. */
export interface CandidateFindings {
  readonly candidate: ScoredVariant
  readonly findings: readonly Omit<MetricComparison, "sentence" | "evidence">[]
}

interface Compared {
  readonly candidate: ScoredVariant
  readonly findings: readonly MetricFinding[]
}

/**
 * Compares several candidates with one baseline so that the error rates hold for all of them together: Holm over the
 * candidates' tests of "not worse by more than the margin" (a candidate passes when all its primary metrics do), Holm over
 * the p-values of the primary metrics, and no "better" whose own adjusted p exceeds alpha. A run that is read more than
 * once spends each candidate's share over its readings.
 */
export function compareCandidates(options: CandidatesOptions): Comparison[] {
  return candidateFindings(options).map(({ candidate, findings }) =>
    comparisonOf({ ...options, candidate, candidates: options.candidates.length }, findings),
  )
}

/** The findings that {@link compareCandidates} words: every metric's verdict of every candidate. */
export function candidateFindings(options: FindingOptions): CandidateFindings[] {
  const { baseline, candidates, metrics, alpha } = options
  const primary = new Set(options.primary)
  const findingOf = (metric: AnyMetric, candidate: ScoredVariant, boundAlpha?: number) =>
    compareMetric(metric, rowsOf(baseline, metric.name), rowsOf(candidate, metric.name), {
      ...options,
      primary: primary.has(metric.name),
      reading: primary.has(metric.name) ? candidateDesignOf(options.design, candidate.name) : null,
      planAlpha: alpha / candidates.length,
      ...(boundAlpha === undefined ? {} : { boundAlpha }),
    })
  const compared = candidates.map(
    (candidate): Compared => ({ candidate, findings: metrics.map((metric) => findingOf(metric, candidate)) }),
  )
  const shared = holmOverCandidates(compared, alpha, ({ candidate, findings }, share) => ({
    candidate,
    findings: findings.map((finding, i) =>
      finding.primary && finding.verdict !== "inferior"
        ? findingOf(metrics[i] as AnyMetric, candidate, share)
        : finding,
    ),
  }))
  const adjusted = adjustedByMetric(shared.flatMap(({ findings }) => findings))
  return shared.map(({ candidate, findings }) => ({
    candidate,
    findings: findings.map((finding) => provenBetter(finding, adjusted.get(finding) ?? null, alpha)),
  }))
}

/**
 * Holm's steps by bounds instead of p-values: with m candidates left, those that pass at alpha / m are settled, and the rest
 * goes on with alpha / (m − settled). Only candidates that would pass alone are looked at again.
 */
function holmOverCandidates(
  compared: readonly Compared[],
  alpha: number,
  at: (candidate: Compared, share: number) => Compared,
): readonly Compared[] {
  const result = [...compared]
  const open = new Set(compared.flatMap((candidate, i) => (passes(candidate) ? [i] : [])))
  let left = compared.length
  while (left > 1 && open.size > 0) {
    const share = alpha / left
    const passed: number[] = []
    for (const i of open) {
      const looked = at(compared[i] as Compared, share)
      result[i] = looked
      if (passes(looked)) passed.push(i)
    }
    if (passed.length === 0) break
    for (const i of passed) open.delete(i)
    left -= passed.length
  }
  return result
}

/** Whether every primary metric is shown to be not worse. */
function passes({ findings }: Compared): boolean {
  const deciding = findings.filter((finding) => finding.primary)
  return deciding.length > 0 && deciding.every(({ verdict }) => verdict === "better" || verdict === "non_inferior")
}

/** "Better" is said only where the test says so, too; as good it is in any case. */
function provenBetter(
  finding: MetricFinding,
  pAdjusted: number | null,
  alpha: number,
): Omit<MetricComparison, "sentence" | "evidence"> {
  // Several stages give a bound and no p: there the bound is the test.
  const isStaged = finding.design?.kind === "stages" && finding.design.level === null
  const isProven =
    isStaged || (finding.p !== null && finding.p <= alpha && (!finding.primary || (pAdjusted ?? 1) <= alpha))
  const verdict = finding.verdict === "better" && !isProven ? "non_inferior" : finding.verdict
  return { ...finding, verdict, pAdjusted }
}
