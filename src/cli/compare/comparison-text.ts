import { cells, wrap } from "../../../reports/terminal/style.ts"
import { textTable } from "../../../reports/terminal/text-table.ts"
import { decidingBound } from "../../../reports/wording/deciding-bound.ts"
import { criticalLinesOf, limitLine } from "../../../reports/wording/limits.ts"
import { shiftLinesOf } from "../../../reports/wording/shifts.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { Comparison, MetricComparison } from "../../core/report/comparison.ts"
import type { Figure } from "../../core/report/figure.ts"
import { remarksOf } from "../../wording/verdict/evidence.ts"
import { levelOf, type Phrasing, phrasing, wordingOf } from "../../words/difference.ts"
import { metricTitle } from "../../words/metric.ts"
import { count, counted } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { plainText } from "../../words/text.ts"
import { screenWidth } from "../arguments/screen.ts"

const verdictWords: Record<MetricComparison["verdict"], string> = {
  better: "better",
  non_inferior: "not worse",
  inferior: "worse",
  inconclusive: "open",
  not_comparable: "not comparable",
}

const milliseconds = phrasing({ scale: 1, unit: "ms" })
const performanceWords: Record<string, { readonly name: string; readonly phrases: Phrasing }> = {
  ttftMs: { name: "time to first token", phrases: milliseconds },
  e2eMs: { name: "time end to end", phrases: milliseconds },
  tpotMs: { name: "time per output token", phrases: milliseconds },
  costUsd: { name: "cost per 1,000", phrases: phrasing({ scale: 1000, unit: "USD" }) },
}

/** What is known of the screen: where nobody looks, no line is wrapped and no column left out. */
type Screen = Parameters<typeof screenWidth>[0]

/** A comparison for the terminal: the verdict first, then what it is based on. */
export function comparisonText(
  comparison: Comparison,
  metrics: readonly AnyMetric[],
  notes: readonly string[],
  screen: Screen,
): string {
  const { verdict, sentence, identity, flips } = comparison
  const width = Math.max(40, screenWidth(screen))
  const notKept = comparison.limits.filter((limit) => limit.state !== "kept" && !sentence.includes(limit.found))
  const shifts = shiftLinesOf(comparison, metrics).map(({ way, text }) => `also ${way}: ${text}`)
  const details = [
    ...criticalLinesOf(comparison).map(({ text }) => text),
    ...notKept.map((limitFinding) => `limit ${limitLine(limitFinding)}`),
    ...comparison.metrics.flatMap((metric) => remarks(metric, metrics, comparison)),
    ...Object.entries(comparison.performance).flatMap(([name, figure]) => performanceLine(name, figure)),
    ...(flips && flips.lost.length + flips.won.length > 0
      ? [`right → wrong: ${listed(flips.lost)}; wrong → right: ${listed(flips.won)}`]
      : []),
    ...(identity.compared > 0
      ? [`identical answers: ${count(identity.identical)} of ${count(identity.compared)}`]
      : []),
    ...(identity.warning ? [`warning: ${identity.warning}`] : []),
    ...notes.map((note) => `note: ${note}`),
  ]
  const method = methodLines(comparison)
  const lines = [
    ...hanging(`${verdict.replaceAll("_", " ").toUpperCase()}   ${plainText(sentence, 2000)}`, width, ""),
    ...shifts.flatMap((line) => hanging(plainText(line, 1000), width, "")),
    "",
    table(comparison, metrics, width),
    ...details.flatMap((line) => hanging(plainText(line, 2000), width, "  ")),
    "",
    ...method.flatMap((line) => hanging(plainText(line, 2000), width, "  ")),
  ]
  return `${lines.join("\n")}\n`
}

/** A text in lines of a width, those after the first further in. */
function hanging(text: string, width: number, indent: string): string[] {
  if (cells(text) + indent.length <= width) return [indent + text]
  const [first = "", ...rest] = wrap(text, width - indent.length - 2, true)
  return [indent + first, ...rest.map((line) => `${indent}  ${line}`)]
}

/** The table of a comparison, a row a metric: the telling columns first. */
export function comparisonTable(
  { baseline, candidate, metrics: compared }: Comparison,
  metrics: readonly AnyMetric[],
): { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  return {
    header: ["metric", "verdict", "B − A", "bound", "pairs", `A ${baseline}`, `B ${candidate}`, "interval", "p"],
    rows: compared.map((metricComparison) => metricRow(metricComparison, metricOf(metricComparison.metric, metrics))),
  }
}

/** As many columns as fit, the telling ones first. */
function table(comparison: Comparison, metrics: readonly AnyMetric[], width: number): string {
  const { header, rows } = comparisonTable(comparison, metrics)
  for (let count = header.length; ; count--) {
    const part = [header, ...rows].map((row) => row.slice(0, count).map((cell) => plainText(cell, 60)))
    const text = textTable(part[0] as string[], part.slice(1), [0, 1]).trimEnd()
    if (count <= 3 || text.split("\n").every((line) => cells(line) <= width)) return text
  }
}

function phrasesOf({ metric }: MetricComparison, metrics: readonly AnyMetric[]): Phrasing {
  return phrasing(wordingOf(metricOf(metric, metrics)))
}

function metricOf(name: string, metrics: readonly AnyMetric[]): Pick<AnyMetric, "name" | "title" | "range" | "unit"> {
  const unlimited = { name, range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const }
  return metrics.find((metric) => metric.name === name) ?? unlimited
}

function metricRow(metric: MetricComparison, of: ReturnType<typeof metricOf>): string[] {
  const phrases = phrasing(wordingOf(of))
  const level = (value: number | null) => (value === null ? "unknown" : levelOf(value, of))
  const { difference, low, high, pAdjusted, p } = metric
  const shownP = pAdjusted ?? p
  return [
    metric.primary ? `${metricTitle(of)} *` : metricTitle(of),
    verdictWords[metric.verdict],
    difference === null ? "unknown" : phrases.difference(difference),
    phrases.bound(decidingBound(metric)),
    metric.pairs === metric.n ? count(metric.pairs) : `${count(metric.pairs)} of ${count(metric.n)}`,
    level(metric.meanBaseline),
    level(metric.meanCandidate),
    phrases.range(low, high),
    shownP === null ? "" : pValue(shownP),
  ]
}

/** What the table has no column for; the sentence has said it already of the metrics that decide. */
function remarks(metric: MetricComparison, metrics: readonly AnyMetric[], names: Comparison): string[] {
  const { mcnemar, missing, minimumDetectableEffect: effect } = metric
  const phrases = phrasesOf(metric, metrics)
  const gap = missing.onlyBaseline + missing.onlyCandidate
  const limits =
    missing.worstCase === null || missing.bestCase === null
      ? ""
      : `: ${phrases.between(missing.worstCase, missing.bestCase)} whatever the missing scores are`
  const said = metric.primary ? "" : remarksOf({ ...metric, mcnemar: null }, metricOf(metric.metric, metrics), names)
  return [
    // Without a pair, what is counted as changed is what is missing.
    ...(mcnemar && metric.pairs > 0
      ? [`${count(mcnemar.b)} right → wrong, ${count(mcnemar.c)} wrong → right, McNemar ${pValue(mcnemar.p)}`]
      : []),
    ...(said === "" ? [] : [said]),
    ...(gap > 0
      ? [`${counted(missing.onlyBaseline, "score")} only in A, ${count(missing.onlyCandidate)} only in B${limits}`]
      : []),
    ...(metric.verdict === "inconclusive" && effect !== null
      ? [`with this many pairs, a difference of ${phrases.size(effect)} is found with 80 % power`]
      : []),
  ].map((line) => `${metricTitle(metricOf(metric.metric, metrics))}: ${line}`)
}

function performanceLine(key: string, figure: Figure): string[] {
  const words = performanceWords[key]
  if (!words || figure.status !== "known") return []
  const [low, high] = [figure.low, figure.high].map((end) => end && withoutNoise(end))
  const isBounded = low != null && high != null && Number.isFinite(low) && Number.isFinite(high)
  const unbounded = low === undefined && high === undefined ? "" : " (not bounded by these pairs)"
  const interval = isBounded ? ` (${words.phrases.between(low, high)})` : unbounded
  return [
    `${words.name}, B − A: ${words.phrases.difference(withoutNoise(figure.value))}${interval}, ${counted(figure.n, "pair")}`,
  ]
}

/** Of sums of equal times and costs something is left over in the last digits: it is no difference. */
function withoutNoise(value: number): number {
  return Math.abs(value) < 1e-11 ? 0 : value
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(", ")
  return `${count(ids.length)}${ids.length === 0 ? "" : ` (${shown}${ids.length > 5 ? " …" : ""})`}`
}

function methodLines({ method = [], metrics }: Comparison): string[] {
  const primary = metrics.filter((metric) => metric.primary).length
  const others = metrics.length - primary
  return [
    `* decides; bound one-sided, interval two-sided; p after Holm over ${primary}${others > 0 ? ` and Benjamini–Hochberg over ${others === 1 ? "one other" : `${others} others`}` : ""}`,
    ...method,
  ]
}
