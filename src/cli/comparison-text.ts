import { plainText } from "../../reports/format/text.ts"
import { textTable } from "../../reports/terminal/text-table.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Comparison, MetricComparison } from "../core/report/comparison.ts"
import type { Figure } from "../core/report/figure.ts"
import {
  amount,
  between,
  pValue,
  signed,
  signedNumber,
  sized,
  type Wording,
  whole,
  wordingOf,
} from "../engine/decide/phrases.ts"

const verdictWords: Record<MetricComparison["verdict"], string> = {
  better: "better",
  non_inferior: "not worse",
  inferior: "worse",
  inconclusive: "inconclusive",
  not_comparable: "not comparable",
}

const performanceWords: Record<string, { readonly name: string; readonly wording: Wording }> = {
  ttftMs: { name: "TTFT", wording: { scale: 1, unit: "ms" } },
  e2eMs: { name: "E2E", wording: { scale: 1, unit: "ms" } },
  tpotMs: { name: "time per token", wording: { scale: 1, unit: "ms" } },
  costUsd: { name: "cost per 1,000", wording: { scale: 1000, unit: "USD" } },
}

/** A comparison for the terminal: the verdict first, then what it is based on. */
export function comparisonText(
  comparison: Comparison,
  metrics: readonly AnyMetric[],
  notes: readonly string[],
): string {
  const { verdict, sentence, baseline, candidate, identity, flips } = comparison
  const wordings = new Map(metrics.map((metric) => [metric.name, wordingOf(metric)]))
  const rows = comparison.metrics.map((metric) => metricRow(metric, wordings.get(metric.metric) as Wording))
  const header = ["metric", `A ${baseline}`, `B ${candidate}`, "B − A", "bound", "interval", "p", "pairs", "verdict"]
  const lines = [
    `${verdict.replaceAll("_", " ").toUpperCase()}   ${sentence}`,
    "",
    textTable(header, rows).trimEnd(),
    ...comparison.metrics.flatMap((metric) => remarks(metric, wordings.get(metric.metric) as Wording)),
    ...Object.entries(comparison.performance).flatMap(([name, figure]) => performanceLine(name, figure)),
    ...(flips && flips.lost.length + flips.won.length > 0
      ? [`  flips: ${list("lost", flips.lost)}; ${list("won", flips.won)}`]
      : []),
    ...(identity.compared > 0
      ? [`  identical answers: ${whole(identity.identical)} of ${whole(identity.compared)}`]
      : []),
    ...(identity.warning ? [`  warning: ${identity.warning}`] : []),
    ...notes.map((note) => `  note: ${note}`),
    ...methodLines(comparison),
  ]
  return `${lines
    .map((line) =>
      line
        .split("\n")
        .map((part) => plainText(part, 2000))
        .join("\n"),
    )
    .join("\n")}\n`
}

function metricRow(metric: MetricComparison, wording: Wording): string[] {
  const level = (value: number | null) => (value === null ? "unknown" : amount(value * wording.scale))
  const { difference, low, high, pAdjusted, p } = metric
  return [
    metric.primary ? `${metric.metric} *` : metric.metric,
    level(metric.meanBaseline),
    level(metric.meanCandidate),
    difference === null ? "unknown" : signed(difference, wording),
    boundCell(metric, wording),
    low === null || high === null ? "unknown" : `${signedNumber(low, wording)} to ${signedNumber(high, wording)}`,
    pAdjusted === null ? (p === null ? "" : pValue(p)) : pValue(pAdjusted),
    metric.pairs === metric.n ? whole(metric.pairs) : `${whole(metric.pairs)} of ${whole(metric.n)}`,
    verdictWords[metric.verdict],
  ]
}

/** The one-sided bound that decides: of the loss, or of the gain where B is worse. */
function boundCell(metric: MetricComparison, wording: Wording): string {
  const { direction, verdict, lowBound = null, highBound = null } = metric
  const bound = (direction === "higher") === (verdict !== "inferior") ? lowBound : highBound
  return bound === null ? "unknown" : signedNumber(bound, wording)
}

function remarks(metric: MetricComparison, wording: Wording): string[] {
  const { mcnemar, missing, minimumDetectableEffect: effect } = metric
  const gap = missing.onlyBaseline + missing.onlyCandidate
  const bounds =
    missing.worstCase === null || missing.bestCase === null
      ? ""
      : `: ${between(missing.worstCase, missing.bestCase, wording)} whatever the missing scores are`
  return [
    ...(mcnemar
      ? [
          `  ${metric.metric}: ${whole(mcnemar.b)} right→wrong, ${whole(mcnemar.c)} wrong→right, McNemar ${pValue(mcnemar.p)}`,
        ]
      : []),
    ...(gap > 0
      ? [
          `  ${metric.metric}: ${whole(missing.onlyBaseline)} scores only in A, ${whole(missing.onlyCandidate)} only in B${bounds}`,
        ]
      : []),
    ...(metric.verdict === "inconclusive" && effect !== null
      ? [`  ${metric.metric}: with this many pairs, a difference of ${sized(effect, wording)} is found with 80 % power`]
      : []),
  ]
}

function performanceLine(key: string, figure: Figure): string[] {
  const words = performanceWords[key]
  if (!words || figure.status !== "known") return []
  const { name, wording } = words
  const { low, high } = figure
  const interval = low == null || high == null ? "" : ` (${between(low, high, wording)})`
  return [`  ${name}: ${signed(figure.value, wording)}${interval}, ${whole(figure.n)} pairs`]
}

function list(word: string, ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(", ")
  return `${word} ${whole(ids.length)}${ids.length === 0 ? "" : ` (${shown}${ids.length > 5 ? " …" : ""})`}`
}

function methodLines({ method = [], metrics }: Comparison): string[] {
  const primary = metrics.filter((metric) => metric.primary).length
  const others = metrics.length - primary
  return [
    "",
    `  * decides; bound one-sided, interval two-sided; p after Holm over ${primary}${others > 0 ? ` and Benjamini–Hochberg over ${others} others` : ""}`,
    ...method.map((line) => `  ${line}`),
  ]
}
