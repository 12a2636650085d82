import { ExitCode } from "../../core/errors.ts"
import type { GateRule } from "../../core/evaluation.ts"
import type { Comparison, MetricComparison } from "../../core/report/comparison.ts"
import type { GateResult } from "../../core/report/decision.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { RunReport, VariantReport } from "../../core/report/report.ts"
import { reportFigure } from "../report/report-figure.ts"
import { amount } from "./phrases.ts"

/** The parts of a report that a gate looks at. */
export type GateInput = Pick<RunReport, "variants" | "comparisons">

type Finding = Pick<GateResult, "status" | "message">

/**
 * Holds every rule against every variant that it names. A rule fails only on evidence: the whole interval must lie beyond
 * the limit. It passes when the whole interval keeps it, and is inconclusive in between or when the figure is unknown.
 */
export function evaluateGate(rules: readonly GateRule[], input: GateInput): GateResult[] {
  return rules.flatMap((rule) =>
    input.variants
      .filter(({ name }) => !rule.variants || rule.variants.includes(name))
      .flatMap((variant) => findings(rule, variant, input.comparisons)),
  )
}

/** 3 when a rule failed, 4 when one is inconclusive, else 0. */
export function gateExitCode(results: readonly GateResult[]): number {
  if (results.some(({ status }) => status === "failed")) return ExitCode.gateFailed
  return results.some(({ status }) => status === "inconclusive") ? ExitCode.inconclusive : ExitCode.ok
}

function findings(rule: GateRule, variant: VariantReport, comparisons: readonly Comparison[]): GateResult[] {
  const results: GateResult[] = []
  const add = (text: string, finding: Finding) => results.push({ rule: text, variant: variant.name, ...finding })
  const figure = reportFigure(variant, rule.figure)
  if (rule.min !== undefined) add(`${rule.figure} ≥ ${amount(rule.min)}`, limit(figure, rule.min, 1))
  if (rule.max !== undefined) add(`${rule.figure} ≤ ${amount(rule.max)}`, limit(figure, rule.max, -1))
  if (rule.notWorseThanBaselineBy !== undefined && !variant.baseline) {
    const comparison = comparisons.find(({ candidate }) => candidate === variant.name)
    add(
      `${rule.figure} not worse than the baseline by ${amount(rule.notWorseThanBaselineBy)}`,
      againstBaseline(rule.figure, rule.notWorseThanBaselineBy, comparison),
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

function againstBaseline(name: string, margin: number, comparison: Comparison | undefined): Finding {
  if (!comparison) return { status: "inconclusive", message: "unknown: the variant was not compared with the baseline" }
  const metric = comparison.metrics.find((candidate) => candidate.metric === name)
  if (metric) return difference(metric.direction === "higher" ? 1 : -1, margin, metricFigure(metric))
  return difference(-1, margin, comparison.performance[name] ?? unknown(`${name} was not compared`))
}

/** `sign` 1: a larger difference is better. */
function difference(sign: 1 | -1, margin: number, figure: Figure): Finding {
  if (figure.status === "unknown") return { status: "inconclusive", message: `unknown: ${figure.reason}` }
  const finding = limit(figure, -sign * margin, sign)
  return { ...finding, message: `difference ${finding.message}` }
}

/** The difference with the one-sided bounds that verdicts rest on. */
function metricFigure(comparison: MetricComparison): Figure {
  const { difference: value, low, high, lowBound = low, highBound = high, pairs, method, metric } = comparison
  if (value === null) return unknown(`${metric} has no pairs`)
  return { status: "known", value, low: lowBound, high: highBound, n: pairs, method }
}

function boundText(bound: number | null): string {
  return bound === null ? "an unbounded value" : amount(bound)
}
