import type { Comparison, MetricComparison } from "../../src/core/report/comparison.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { metricDifference, metricUnit, type ReportMetric, readableName } from "../format/metric.ts"
import { count, plural } from "../format/number.ts"
import { usd } from "../format/quantity.ts"
import { tradeWords } from "./trade.ts"

/**
 * A comparison in a line: what happened to the deciding metric, then what else changes. The long form with both names is
 * {@link Comparison.sentence}.
 *
 * @example findingWords(report, comparison)
 * // "not worse than 1 point (−0.1, −0.9 to +0.7, 900 pairs); half the size; 15 % cheaper"
 */
export function findingWords(report: RunReport, comparison: Comparison): string {
  const deciding = decidingMetric(comparison)
  const quality =
    deciding && comparison.verdict !== "invalid" && comparison.verdict !== "not_comparable"
      ? qualityWords(report, comparison, deciding)
      : comparison.sentence.replace(/\.$/, "")
  return [quality, ...tradeWords(report, comparison.baseline, comparison.candidate).slice(0, 2)].join("; ")
}

/** The primary metric that made the verdict: the one that lost, else the one that is open, else the first. */
export function decidingMetric(comparison: Comparison): MetricComparison | null {
  const primary = comparison.metrics.filter((metric) => metric.primary)
  const because = { keep: "inferior", inconclusive: "inconclusive", swap: null, not_comparable: null, invalid: null }
  return primary.find((metric) => metric.verdict === because[comparison.verdict]) ?? primary[0] ?? null
}

function qualityWords(report: RunReport, comparison: Comparison, finding: MetricComparison): string {
  const metric = report.metrics.find((one) => one.name === finding.metric) ?? {
    unit: null,
    range: [null, null] as const,
  }
  const name = comparison.metrics.filter((one) => one.primary).length > 1 ? `${readableName(finding.metric)} ` : ""
  const { difference, low, high, mcnemar } = finding
  if (difference === null) return `${name}has no sample with a score on both sides`
  const bare = (value: number) => metricDifference(value, metric).replace(/ points?$/, "")
  const range = low === null || high === null ? "no interval" : `${bare(low)} to ${bare(high)}`
  const evidence = `(${bare(difference)}, ${range}, ${plural(finding.pairs, "pair")})`
  switch (finding.verdict) {
    case "better":
      return `${name}better by ${differenceSize(Math.abs(difference), metric)} ${evidence}`
    case "non_inferior":
      return `${name}not worse than ${differenceSize(finding.margin, metric)} ${evidence}`
    case "inferior":
      return `${name}loses ${differenceSize(Math.abs(difference), metric)} ${evidence}${mcnemar ? `: ${count(mcnemar.b)} answers went wrong, ${count(mcnemar.c)} went right` : ""}`
    case "inconclusive":
      return `${name}open ${evidence}${neededWords(report, comparison, finding)}`
    case "not_comparable":
      return finding.sentence.replace(/\.$/, "")
  }
}

function neededWords(report: RunReport, comparison: Comparison, finding: MetricComparison): string {
  const decision = report.decision?.candidates.find((one) => one.candidate === comparison.candidate)
  const needed = decision?.neededSamples ?? (finding.neededN === null ? null : finding.neededN - finding.pairs)
  if (needed === null || needed <= 0) return ""
  const cost = decision?.neededCostUsd == null ? "" : ` and cost ${usd(decision.neededCostUsd)}`
  return `: ${count(needed)} more samples would settle it${cost}`
}

/**
 * A size without a sign: "1 point", "14.5 points".
 *
 * @example differenceSize(0.145, { unit: "share", range: [0, 1] }) // "14.5 points"
 */
export function differenceSize(value: number, metric: Pick<ReportMetric, "unit" | "range">): string {
  const text = metricDifference(value, metric)
    .replace(/^\+/, "")
    .replace(/\.0 points$/, " points")
  return metricUnit(metric) === "share" && text === "1 points" ? "1 point" : text
}
