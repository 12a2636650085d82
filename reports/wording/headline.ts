import type { Comparison, MetricComparison } from "../../src/core/report/comparison.ts"
import type { CandidateDecision, Decision } from "../../src/core/report/decision.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { metricDifference, readableName } from "../format/metric.ts"
import { count, plural } from "../format/number.ts"
import { usd } from "../format/quantity.ts"
import { decidingMetric, differenceSize } from "./finding.ts"
import { tradeWords } from "./trade.ts"

/** The answer of a run for somebody who reads nothing else. */
export interface Headline {
  /** One sentence: may we make this swap, and at what price. */
  readonly answer: string
  /** What it rests on, in a sentence or two; empty when there is nothing to say. */
  readonly because: string
}

/**
 * The answer of a run, made from its figures; null without a decision.
 *
 * @example headline(report)
 * // { answer: "m-q8_0 can replace m-f16: as good within 1 point, half the size, 15 % cheaper.",
 * //   because: "On exact match −0.1 points (between −0.9 and +0.7, 900 pairs): 9 answers went wrong, 8 went right." }
 */
export function headline(report: RunReport): Headline | null {
  const { decision } = report
  if (!decision) return null
  const candidate = tellingCandidate(report)
  const comparison = tellingComparison(report)
  const finding = comparison && decidingMetric(comparison)
  const because = [
    candidate && isOverruled(candidate, comparison) ? candidate.reasons[0] : null,
    comparison && finding ? evidence(report, comparison, finding) : null,
  ]
  return {
    answer: answer(report, decision, candidate, finding),
    because: because.filter((part) => part != null && part !== "").join(" "),
  }
}

/** The comparison that the answer is about. */
export function tellingComparison(report: RunReport): Comparison | null {
  const name = tellingCandidate(report)?.candidate
  return report.comparisons.find((one) => one.candidate === name) ?? report.comparisons[0] ?? null
}

/** The choice, else the candidate with the decision's verdict that is nearest to another one. */
function tellingCandidate({ decision, comparisons }: RunReport): CandidateDecision | null {
  if (!decision) return null
  const chosen = decision.candidates.find((one) => one.candidate === decision.choice)
  if (chosen) return chosen
  const same = decision.candidates.filter((one) => one.verdict === decision.verdict)
  const distance = ({ candidate, neededSamples }: CandidateDecision) => {
    if (decision.verdict === "inconclusive") return neededSamples ?? Number.POSITIVE_INFINITY
    const comparison = comparisons.find((one) => one.candidate === candidate)
    return Math.abs((comparison && decidingMetric(comparison)?.difference) ?? Number.POSITIVE_INFINITY)
  }
  return same.toSorted((a, b) => distance(a) - distance(b))[0] ?? decision.candidates[0] ?? null
}

function answer(
  report: RunReport,
  decision: Decision,
  candidate: CandidateDecision | null,
  finding: MetricComparison | null,
): string {
  const { baseline, verdict } = decision
  const name = candidate?.candidate ?? "the candidate"
  const reason = sentence(candidate?.reasons[0] ?? decision.sentence)
  switch (verdict) {
    case "swap": {
      const gains = [finding && qualityWords(report, finding), ...tradeWords(report, baseline, name).slice(0, 2)]
      return `${name} can replace ${baseline}: ${gains.filter(Boolean).join(", ")}.`
    }
    case "keep":
      return keepAnswer(report, decision, candidate, finding)
    case "inconclusive": {
      const { neededSamples: samples = null, neededCostUsd: cost = null } = candidate ?? {}
      const more = samples === null || samples <= 0 ? "" : `: ${plural(samples, "more sample")} would settle it`
      return `Not settled whether ${name} can replace ${baseline}${more}${more && cost !== null ? `, for ${usd(cost)}` : ""}.`
    }
    case "not_comparable":
      return decision.candidates.length === 0
        ? `There is nothing to compare ${baseline} with.`
        : `${name} and ${baseline} cannot be compared: ${reason}`
    case "invalid":
      return `This run is no evidence: ${reason}`
  }
}

function keepAnswer(
  report: RunReport,
  { baseline, candidates }: Decision,
  candidate: CandidateDecision | null,
  finding: MetricComparison | null,
): string {
  if (candidate?.verdict === "swap" || !candidate)
    return `Keep ${baseline}: ${candidate ? `${candidate.candidate} is as good, but nothing is gained by the swap` : "there is no candidate"}.`
  const comparison = tellingComparison(report)
  if (isOverruled(candidate, comparison)) return `Keep ${baseline}: ${candidate.candidate} breaks a limit that was set.`
  const loss =
    finding?.difference == null
      ? "is worse"
      : `loses ${differenceSize(Math.abs(finding.difference), metricOf(report, finding))}`
  const worse = candidates.filter((one) => one.verdict === "keep").length
  return worse > 1
    ? `Keep ${baseline}: even the closest of ${count(worse)} candidates, ${candidate.candidate}, ${loss}.`
    : `Keep ${baseline}: ${candidate.candidate} ${loss}.`
}

/** Whether the decision says no to a candidate whose quality would do: a constraint is broken. */
function isOverruled(candidate: CandidateDecision, comparison: Comparison | null): boolean {
  return candidate.verdict === "keep" && comparison?.verdict === "swap"
}

function qualityWords(report: RunReport, finding: MetricComparison): string {
  const metric = metricOf(report, finding)
  if (finding.verdict === "better" && finding.difference !== null)
    return `better by ${differenceSize(Math.abs(finding.difference), metric)}`
  return `as good within ${differenceSize(finding.margin, metric)}`
}

/** "On exact match +2.0 points (between +0.4 and +3.7, 510 pairs): 4 answers went wrong, 14 went right." */
function evidence(report: RunReport, comparison: Comparison, finding: MetricComparison): string {
  const { difference, low, high, pairs, mcnemar } = finding
  if (difference === null || comparison.verdict === "invalid" || comparison.verdict === "not_comparable") return ""
  const metric = metricOf(report, finding)
  const bare = (value: number) => metricDifference(value, metric).replace(/ points?$/, "")
  const range = low === null || high === null ? "no interval" : `between ${bare(low)} and ${bare(high)}`
  const flips = mcnemar ? `: ${plural(mcnemar.b, "answer")} went wrong, ${count(mcnemar.c)} went right` : ""
  return `On ${readableName(finding.metric)} ${metricDifference(difference, metric)} (${range}, ${plural(pairs, "pair")})${flips}.`
}

function metricOf(report: RunReport, finding: MetricComparison) {
  return report.metrics.find((one) => one.name === finding.metric) ?? { unit: null, range: [null, null] as const }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
