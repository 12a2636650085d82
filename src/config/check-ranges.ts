import { isBreakRule } from "../analyse/decide/break-rule.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import type { Evaluation, GateRule, HardBreak } from "../core/run/evaluation.ts"
import { parseConstraints } from "../estimate/constraints.ts"
import { amount } from "../words/number.ts"

type Ranged = Pick<AnyMetric, "name" | "range">
type BreakMetric = Ranged & Pick<AnyMetric, "direction">

/** Margins and limits of a config that no value of their metric can reach, a line each: they would always be kept, or never. */
export function rangeFaults(evaluation: Evaluation): string[] {
  const { constraints, gate, metrics, breaks = [] } = evaluation
  return [
    ...marginFaults("margin", evaluation),
    ...constraints.flatMap((text, i) => constraintFaults(`constraints[${i}]`, text, evaluation)),
    ...gate.flatMap((rule, i) => ruleFaults(`gate[${i}]`, rule, metrics)),
    ...breaks.flatMap((hardBreak, i) => breakFaults(`breaks[${i}]`, hardBreak, metrics)),
  ]
}

/**
 * A margin as wide as the range of a metric that decides: no loss would be one. A share of the range is always narrower.
 *
 * @example marginFaults("--margin", { margin: 5, marginKind: "unit", metrics: [exactMatch()], primary: ["exactMatch"] })
 * // ["--margin: expected less than 1, since exactMatch goes from 0 to 1, got 5; for 5 points write 0.05; …"]
 */
export function marginFaults(path: string, { margin, marginKind, metrics, primary }: MarginFacts): string[] {
  if (marginKind === "share") return []
  const deciding = metrics.filter(({ name }) => primary.includes(name))
  return deciding.flatMap((metric) => marginFault(path, margin, metric))
}

/** A margin, and what it decides. */
export interface MarginFacts extends Pick<Evaluation, "margin" | "marginKind" | "primary"> {
  readonly metrics: readonly Ranged[]
}

/** Of a gate's rule. */
export function ruleFaults(path: string, rule: GateRule, metrics: readonly Ranged[]): string[] {
  if (isBreakRule(rule.figure) && (rule.max === undefined || rule.min !== undefined))
    return [
      `${path}: expected max alone, how many samples that must not break may: { figure: "${rule.figure}", max: 0 }`,
    ]
  const metric = metrics.find(({ name }) => name === rule.figure)
  if (!metric) return []
  const { min, max, notWorseThanBaselineBy: margin } = rule
  return [
    ...(min === undefined ? [] : limitFault(`${path}.min`, min, metric)),
    ...(max === undefined ? [] : limitFault(`${path}.max`, max, metric)),
    ...(margin === undefined ? [] : marginFault(`${path}.notWorseThanBaselineBy`, margin, metric)),
  ]
}

/** Of a check that no answer can break, or that none can keep. */
function breakFaults(path: string, { metric: name, min, max }: HardBreak, metrics: readonly BreakMetric[]): string[] {
  const metric = metrics.find((breakMetric) => breakMetric.name === name)
  if (!metric) return []
  const best = metric.range[metric.direction === "higher" ? 1 : 0]
  if (min === undefined && max === undefined && !Number.isFinite(best))
    return [`${path}: expected min or max, since ${name} has no best value: { metric: "${name}", max: 200 }`]
  if (min !== undefined && max !== undefined && min > max)
    return [`${path}: expected min below max, got ${min} and ${max}`]
  return [
    ...(min === undefined ? [] : limitFault(`${path}.min`, min, metric)),
    ...(max === undefined ? [] : limitFault(`${path}.max`, max, metric)),
  ]
}

function constraintFaults(path: string, text: string, { metrics, primary }: Evaluation): string[] {
  return parseConstraints(text).flatMap(({ figure, limit }) => {
    const name = figure === "quality" ? primary[0] : figure
    const metric = metrics.find((entry) => entry.name === name)
    return metric ? limitFault(path, limit, metric) : []
  })
}

function marginFault(path: string, margin: number, metric: Ranged): string[] {
  const [low, high] = metric.range
  return margin < high - low || high === low
    ? []
    : [
        `${path}: expected less than ${amount(high - low)}, ${reach(metric)}, got ${margin}${meant(margin, "points", metric)}`,
      ]
}

function limitFault(path: string, limit: number, metric: Ranged): string[] {
  const [low, high] = metric.range
  return limit >= low && limit <= high
    ? []
    : [`${path}: expected a limit that can be reached, ${reach(metric)}, got ${limit}${meant(limit, "%", metric)}`]
}

const reach = ({ name, range: [low, high] }: Ranged) => `since ${name} goes from ${amount(low)} to ${amount(high)}`

/** What was meant where points or per cent were written of a metric from 0 to 1, and what to do where a metric of one's own goes further. */
function meant(value: number, unit: "points" | "%", { range: [low, high] }: Ranged): string {
  if (low !== 0 || high !== 1) return ""
  const share =
    value >= 1 && value < 100
      ? ` for ${value} ${value === 1 ? unit.replace(/s$/, "") : unit} write ${Number((value / 100).toPrecision(12))};`
      : ""
  return `;${share} a metric of your own that goes further needs its range`
}
