import { ExitCode } from "../../core/errors.ts"
import type { Comparison, CompleteDifference, MetricComparison } from "../../core/report/comparison.ts"
import type { GateResult } from "../../core/report/decision.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { RunReport, VariantReport } from "../../core/report/report.ts"
import type { GateRule } from "../../core/run/evaluation.ts"
import type { MetricRecord } from "../../core/run/run-record.ts"
import { exactly } from "../../core/words/amount.ts"
import { marginVerdict } from "../../stats/tests/non-inferiority.ts"
import { reportFigure } from "../report/report-figure.ts"
import { amount, spoken } from "./phrases.ts"
import { figuresOf, remarksOf, type WordedMetric } from "./word-evidence.ts"

/** The parts of a report that a gate looks at. */
export type GateInput = Pick<RunReport, "variants" | "comparisons"> & Partial<Pick<RunReport, "metrics">>

type Finding = Pick<GateResult, "status" | "message">

/**
 * Checks every rule for every variant that it names. A rule fails only on evidence: the whole interval must lie beyond
 * the limit. It passes when the whole interval keeps it, and is inconclusive in between or when the figure is unknown.
 * @experimental
 */
export function evaluateGate(rules: readonly GateRule[], input: GateInput): GateResult[] {
  return rules.flatMap((rule) =>
    input.variants
      .filter(({ name }) => !rule.variants || rule.variants.includes(name))
      .flatMap((variant) => findings(rule, variant, input)),
  )
}

/** 3 when a rule failed, 4 when one is inconclusive, else 0. @experimental */
export function gateExitCode(results: readonly GateResult[]): number {
  if (results.some(({ status }) => status === "failed")) return ExitCode.gateFailed
  return results.some(({ status }) => status === "inconclusive") ? ExitCode.inconclusive : ExitCode.ok
}

function findings(rule: GateRule, variant: VariantReport, { comparisons, metrics = [] }: GateInput): GateResult[] {
  const results: GateResult[] = []
  const add = (text: string, finding: Finding) => results.push({ rule: text, variant: variant.name, ...finding })
  const figure = reportFigure(variant, rule.figure)
  const record = metrics.find(({ name }) => name === rule.figure)
  const name = record ? spoken(record) : rule.figure
  if (rule.min !== undefined) add(`${name} ≥ ${exactly(rule.min)}`, limit(figure, rule.min, 1))
  if (rule.max !== undefined) add(`${name} ≤ ${exactly(rule.max)}`, limit(figure, rule.max, -1))
  if (rule.notWorseThanBaselineBy !== undefined && !variant.baseline) {
    const comparison = comparisons.find(({ candidate }) => candidate === variant.name)
    add(
      `${name} not worse than the baseline by ${exactly(rule.notWorseThanBaselineBy)}`,
      againstBaseline(rule.figure, rule.notWorseThanBaselineBy, comparison, metrics),
    )
  }
  return results
}

/** `sign` 1: the figure must not be below the limit; −1: not above. */
function limit(figure: Figure, bound: number, sign: 1 | -1): Finding {
  if (figure.status === "unknown") return { status: "inconclusive", message: `unknown: ${figure.reason}` }
  const { value } = figure
  const low = figure.low === undefined ? value : figure.low
  const high = figure.high === undefined ? value : figure.high
  const best = sign === 1 ? high : low
  const worst = sign === 1 ? low : high
  const evidence = `${amount(value)}${low === high ? "" : `, between ${boundText(low)} and ${boundText(high)}`} (n = ${figure.n})`
  if (best !== null && sign * best < sign * bound) return { status: "failed", message: `${evidence}: beyond the limit` }
  if (worst !== null && sign * worst >= sign * bound) return { status: "passed", message: evidence }
  return { status: "inconclusive", message: `${evidence}: the interval holds the limit` }
}

function againstBaseline(
  name: string,
  margin: number,
  comparison: Comparison | undefined,
  metrics: readonly MetricRecord[],
): Finding {
  if (!comparison) return { status: "inconclusive", message: "unknown: the variant was not compared with the baseline" }
  const metric = comparison.metrics.find((candidate) => candidate.metric === name)
  if (metric) return metricDifference(metric, margin, metrics)
  return difference(-1, margin, comparison.performance[name] ?? unknown(`${name} was not compared`))
}

/** `sign` 1: a larger difference is better. */
function difference(sign: 1 | -1, margin: number, figure: Figure): Finding {
  if (figure.status === "unknown") return { status: "inconclusive", message: `unknown: ${figure.reason}` }
  const finding = limit(figure, -sign * margin, sign)
  return { ...finding, message: `difference ${finding.message}` }
}

/** A metric by the one-sided bounds that verdicts are based on, with the sentence's own figures as evidence. */
function metricDifference(found: MetricComparison, margin: number, metrics: readonly MetricRecord[]): Finding {
  const { metric: name, difference: value, direction, lowBound = null, highBound = null, missing } = found
  const record = metrics.find((one) => one.name === name)
  if (value === null) return { status: "inconclusive", message: `unknown: ${spoken(record ?? { name })} has no pairs` }
  const [low, high] = direction === "higher" ? [lowBound, highBound] : [negative(highBound), negative(lowBound)]
  const bounds = low === null || high === null ? "inconclusive" : marginVerdict(low, high, margin)
  // Another margin than the run's has to hold over the answers that both sides gave, too, where the baseline failed.
  const hidden =
    margin === found.margin
      ? found.verdict === "inconclusive"
      : (missing.failedBaseline ?? 0) > 0 && !keepsMargin(missing.complete ?? null, direction, margin)
  const verdict = hidden && bounds !== "inferior" ? "inconclusive" : bounds
  const worded: WordedMetric = {
    name,
    ...(record?.title !== undefined && { title: record.title }),
    range: [record?.range[0] ?? Number.NEGATIVE_INFINITY, record?.range[1] ?? Number.POSITIVE_INFINITY],
    ...(record?.unit ? { unit: record.unit } : {}),
  }
  const names = { baseline: "the baseline", candidate: "the variant" }
  const finding = { ...found, margin, verdict }
  const remarks = remarksOf({ ...finding, mcnemar: null }, worded, names)
  const message = `${figuresOf(finding, worded)}${remarks === "" ? "" : `. ${remarks.replace(/\.$/, "")}`}`
  return {
    status: { better: "passed", non_inferior: "passed", inferior: "failed", inconclusive: "inconclusive" }[
      verdict
    ] as Finding["status"],
    message,
  }
}

function keepsMargin(complete: CompleteDifference | null, direction: "higher" | "lower", margin: number): boolean {
  const { low = null, high = null, worstBound = direction === "higher" ? low : high } = complete ?? {}
  const worst = direction === "higher" ? worstBound : negative(worstBound)
  return worst !== null && worst > -margin
}

function negative(value: number | null): number | null {
  return value === null ? null : -value
}

function boundText(bound: number | null): string {
  return bound === null ? "an unbounded value" : amount(bound)
}
