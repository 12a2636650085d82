import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Comparison, MetricComparison } from "../../core/report/comparison.ts"
import type { Figure } from "../../core/report/figure.ts"
import {
  amount,
  between,
  counted,
  pValue,
  signed,
  signedNumber,
  sized,
  type Wording,
  whole,
  wordingOf,
} from "../decide/phrases.ts"

/** A metric's finding as one sentence with its numbers; one form per verdict. */
export function metricSentence(
  finding: Omit<MetricComparison, "sentence">,
  metric: Pick<AnyMetric, "unit" | "range">,
  baseline: string,
  candidate: string,
): string {
  const wording = wordingOf(metric)
  const { verdict, difference, margin, metric: name } = finding
  if (verdict === "not_comparable" || difference === null)
    return `${candidate} and ${baseline} cannot be compared on ${name}: no sample has a score on both sides.`
  const evidence = evidenceOf(finding, difference, wording)
  switch (verdict) {
    case "better":
      return `${candidate} is better than ${baseline} on ${name} (${evidence}).${flips(finding)}`
    case "non_inferior":
      return `${candidate} is as good as ${baseline} on ${name} within ${sized(margin, wording)} (${evidence}).`
    case "inferior":
      return `${candidate} is worse than ${baseline} on ${name} by more than ${sized(margin, wording)} (${evidence}).${flips(finding)}`
    case "inconclusive":
      return `Whether ${candidate} is worse than ${baseline} on ${name} by more than ${sized(margin, wording)} is open (${evidence})${needed(finding)}.`
  }
}

/**
 * The overall finding: the most telling primary metric's sentence, then speed and cost where they are known to differ.
 *
 * @param shares differences of latency and cost as shares of the baseline: −0.38 is 38 % less
 */
export function comparisonSentence(
  comparison: Omit<Comparison, "sentence">,
  shares: Readonly<Record<string, number | null>>,
): string {
  const deciding = comparison.metrics.filter((metric) => metric.primary)
  const telling =
    deciding.find((metric) => comparison.verdict === "keep" && metric.verdict === "inferior") ??
    deciding.find((metric) => comparison.verdict === "inconclusive" && metric.verdict === "inconclusive") ??
    deciding.find((metric) => comparison.verdict === "not_comparable" && metric.verdict === "not_comparable") ??
    deciding[0]
  if (!telling) return `No metric decides between ${comparison.baseline} and ${comparison.candidate}.`
  const gains = [
    evident(comparison.performance.e2eMs, shares.e2eMs, "slower", "faster"),
    evident(comparison.performance.costUsd, shares.costUsd, "dearer", "cheaper"),
  ].filter((part) => part !== null)
  return gains.length === 0
    ? telling.sentence
    : `${telling.sentence} ${comparison.candidate} is ${gains.join(" and ")}.`
}

function evidenceOf(finding: Omit<MetricComparison, "sentence">, difference: number, wording: Wording): string {
  const { low, high, pairs, p } = finding
  const interval = low === null || high === null ? "no interval" : between(low, high, wording)
  const test = p === null ? "" : `, ${pValue(p)}`
  return `${signed(difference, wording)}, ${interval}${oneSided(finding, wording)}, ${counted(pairs, "pair")}${test}`
}

/** The bound that the verdict rests on, where the two-sided interval alone would not show it. */
function oneSided(finding: Omit<MetricComparison, "sentence">, wording: Wording): string {
  const { verdict, direction, low, high, lowBound, highBound, margin } = finding
  const upwards = direction === "higher"
  const worst = upwards ? low : high === null ? null : -high
  const best = upwards ? high : low === null ? null : -low
  const shown = (bound: number | null | undefined) =>
    bound == null ? "" : `, one-sided bound ${signedNumber(bound, wording)}`
  if (worst === null || best === null) return ""
  if ((verdict === "non_inferior" && worst <= -margin) || (verdict === "better" && worst <= 0))
    return shown(upwards ? lowBound : highBound)
  return verdict === "inferior" && best >= -margin ? shown(upwards ? highBound : lowBound) : ""
}

function flips({ mcnemar }: Omit<MetricComparison, "sentence">): string {
  return mcnemar ? ` ${counted(mcnemar.b, "answer")} went wrong, ${whole(mcnemar.c)} went right.` : ""
}

function needed({ neededN, pairs }: Omit<MetricComparison, "sentence">): string {
  return neededN === null ? "" : `; about ${whole(neededN - pairs)} more samples would settle it`
}

/** `38 % cheaper`, when the interval of the difference does not hold 0. */
function evident(
  figure: Figure | undefined,
  share: number | null | undefined,
  more: string,
  less: string,
): string | null {
  if (figure?.status !== "known" || share == null) return null
  const { value, low, high } = figure
  const exact = low === undefined && high === undefined
  const differs = exact ? value !== 0 : low != null && high != null && (low > 0 || high < 0)
  return differs ? `${amount(Math.abs(share) * 100)} % ${share > 0 ? more : less}` : null
}
