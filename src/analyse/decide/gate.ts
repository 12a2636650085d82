import { ExitCode } from "../../core/errors.ts"
import type { Comparison, CompleteDifference, MetricComparison } from "../../core/report/comparison.ts"
import type { GateResult } from "../../core/report/decision.ts"
import { type Figure, unknown } from "../../core/report/figure.ts"
import type { RunReport, VariantReport } from "../../core/report/report.ts"
import type { NamedMetric } from "../../core/report/verdict-facts.ts"
import type { GateRule } from "../../core/run/evaluation.ts"
import type { MetricRecord } from "../../core/run/run-record.ts"
import { reportFigure } from "../../estimate/report-figure.ts"
import { marginVerdict } from "../../stats/tests/non-inferiority.ts"
import { gateWords } from "../../wording/gate.ts"
import { noFigure } from "../../wording/reasons.ts"
import { figuresOf, remarksOf } from "../../wording/verdict/evidence.ts"
import { signed, type Wording } from "../../words/difference.ts"
import { figureAmount, figureWording, type NumberWords } from "../../words/figures/figure-amount.ts"
import { type RuleSide, ruleWords } from "../../words/figures/gate-rule.ts"
import { metricTitle } from "../../words/names.ts"
import { count } from "../../words/number.ts"
import { negative } from "../compare/metric-comparison.ts"
import { breaksFinding, isBreakRule } from "./break-rule.ts"

/** The parts of a report that a gate looks at. @experimental */
export type GateInput = Pick<RunReport, "variants" | "comparisons"> & Partial<Pick<RunReport, "metrics">>

export type Finding = Pick<GateResult, "status" | "message">

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
  const worded = metrics.map(wordedMetric)
  const results: GateResult[] = []
  const add = (side: RuleSide, finding: Finding) =>
    results.push({ rule: ruleWords(rule, side, worded) ?? "", figure: rule.figure, variant: variant.name, ...finding })
  if (isBreakRule(rule.figure)) {
    const comparison = comparisons.find(({ candidate }) => candidate === variant.name)
    if (!variant.baseline && rule.max !== undefined)
      add("max", breaksFinding(rule.figure, comparison, rule.max, worded))
    return results
  }
  for (const [side, finding] of limitsOf(rule, reportFigure(variant, rule.figure), worded)) add(side, finding)
  if (rule.notWorseThanBaselineBy !== undefined && !variant.baseline) {
    const comparison = comparisons.find(({ candidate }) => candidate === variant.name)
    add("notWorseThanBaselineBy", againstBaseline(rule.figure, rule.notWorseThanBaselineBy, comparison, worded))
  }
  return results
}

/**
 * Checks rules that are limits for what is no variant of a run: `figureOf` gives a figure by its name. Fails and passes as
 * {@link evaluateGate} does.
 */
export function evaluateLimits(
  rules: readonly GateRule[],
  subjects: readonly { readonly name: string; figureOf(name: string): Figure }[],
): GateResult[] {
  return rules.flatMap((rule) =>
    subjects
      .filter(({ name }) => !rule.variants || rule.variants.includes(name))
      .flatMap(({ name, figureOf }) =>
        limitsOf(rule, figureOf(rule.figure), []).map(([side, finding]) => {
          return { rule: ruleWords(rule, side, []) ?? "", figure: rule.figure, variant: name, ...finding }
        }),
      ),
  )
}

/** What comes of each limit of a rule. */
function limitsOf(
  rule: GateRule,
  figure: Figure,
  metrics: readonly NamedMetric[],
): readonly (readonly [side: RuleSide, finding: Finding])[] {
  const print = (value: number) => figureAmount(rule.figure, value, metrics)
  return [
    ...(rule.min === undefined ? [] : [["min", limit(figure, rule.min, 1, print)] as const]),
    ...(rule.max === undefined ? [] : [["max", limit(figure, rule.max, -1, print)] as const]),
  ]
}

/** `sign` 1: the figure must not be below the limit; −1: not above. */
function limit(figure: Figure, bound: number, sign: 1 | -1, words: NumberWords): Finding {
  if (figure.status === "unknown") return { status: "inconclusive", message: `unknown: ${figure.reason}` }
  const value = rounded(figure.value)
  const low = figure.low === undefined ? value : rounded(figure.low)
  const high = figure.high === undefined ? value : rounded(figure.high)
  // What reads as the limit and is not it is shown with the digits that tell them apart.
  const print: NumberWords = (number) => {
    const text = words(number)
    return number !== bound && text === words(bound) ? `${text} (${number.toPrecision(6)})` : text
  }
  const best = sign === 1 ? high : low
  const worst = sign === 1 ? low : high
  const evidence = `${print(value)}${intervalWords(low, high, print)} (n = ${count(figure.n)})`
  if (best !== null && sign * best < sign * bound) return { status: "failed", message: `${evidence}: beyond the limit` }
  if (worst !== null && sign * worst >= sign * bound) return { status: "passed", message: evidence }
  return { status: "inconclusive", message: gateWords.undecided(evidence) }
}

/** Without the last digits, which sums in double precision leave: the mean of ten times 0.8 is 0.8. */
function rounded<Value extends number | null>(value: Value): Value {
  return (value === null ? null : Number(value.toPrecision(12))) as Value
}

/** `, between 14 ms and 17 ms`; where so small a sample does not bound one side, `, at least 14 ms`; nothing for an exact figure. */
function intervalWords(low: number | null, high: number | null, print: NumberWords): string {
  if (low === high) return low === null ? gateWords.unbounded : ""
  if (low === null) return `, at most ${print(high as number)}`
  return high === null ? `, at least ${print(low)}` : `, between ${print(low)} and ${print(high)}`
}

function againstBaseline(
  name: string,
  margin: number,
  comparison: Comparison | undefined,
  metrics: readonly NamedMetric[],
): Finding {
  if (!comparison) return { status: "inconclusive", message: noFigure.notCompared }
  const metric = comparison.metrics.find((candidate) => candidate.metric === name)
  if (metric) return metricDifference(metric, margin, metrics)
  const wording = figureWording(name, metrics)
  return difference(-1, margin, comparison.performance[name] ?? unknown(`${name} was not compared`), wording)
}

/** `sign` 1: a larger difference is better. */
function difference(sign: 1 | -1, margin: number, figure: Figure, wording: Wording): Finding {
  if (figure.status === "unknown") return { status: "inconclusive", message: `unknown: ${figure.reason}` }
  const finding = limit(figure, -sign * margin, sign, (value) => signed(value, wording))
  return { ...finding, message: `difference ${finding.message}` }
}

/** A metric by the one-sided bounds that verdicts are based on, with the sentence's own figures as evidence. */
function metricDifference(
  metricComparison: MetricComparison,
  margin: number,
  metrics: readonly NamedMetric[],
): Finding {
  const { metric: name, difference: value, direction, lowBound = null, highBound = null, missing } = metricComparison
  const worded = metrics.find((metric) => metric.name === name) ?? { name, range: unbounded }
  if (value === null) return { status: "inconclusive", message: gateWords.noPairs(metricTitle(worded)) }
  const [low, high] = direction === "higher" ? [lowBound, highBound] : [negative(highBound), negative(lowBound)]
  const bounds = low === null || high === null ? "inconclusive" : marginVerdict(low, high, margin)
  // Another margin than the run's has to hold over the answers that both sides gave, too, where the baseline failed.
  const hidden =
    margin === metricComparison.margin
      ? metricComparison.verdict === "inconclusive"
      : missing.failedBaseline > 0 && !keepsMargin(missing.complete, direction, margin)
  const verdict = hidden && bounds !== "inferior" ? "inconclusive" : bounds
  const names = { baseline: "the baseline", candidate: "the variant" }
  const finding = { ...metricComparison, margin, verdict }
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

const unbounded = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const

/** A metric as a run recorded it, for wording. */
function wordedMetric({ name, title, range, unit }: MetricRecord): NamedMetric {
  return {
    name,
    ...(title !== undefined && { title }),
    range: [range[0] ?? unbounded[0], range[1] ?? unbounded[1]],
    ...(unit ? { unit } : {}),
  }
}
