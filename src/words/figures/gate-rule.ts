import type { GateRule } from "../../core/run/evaluation.ts"
import { sized } from "../difference.ts"
import { exactly } from "../number.ts"
import { figureAmount, figureWording, type MeasuredMetric } from "./figure-amount.ts"
import { figureWords } from "./figure-name.ts"

/** What wording needs of the metrics that rules may be about. */
export type RuleMetric = MeasuredMetric & Parameters<typeof figureWords>[1][number]

/** One side of a rule: each is checked and reported on its own. */
export type RuleSide = "min" | "max" | "notWorseThanBaselineBy"

/**
 * A rule as people say it, its limit with all its digits; null where the rule has no such side.
 *
 * @example ruleWords({ figure: "ttftMs.p95", max: 800 }, "max", []) // "time to first token (p95) at most 800 ms"
 */
export function ruleWords(rule: GateRule, side: RuleSide, metrics: readonly RuleMetric[]): string | null {
  const bound = rule[side]
  if (bound === undefined) return null
  const name = figureWords(rule.figure, metrics)
  if (side === "notWorseThanBaselineBy") {
    const allowed = sized(bound, figureWording(rule.figure, metrics), exactly)
    return `${name} not worse than the baseline by more than ${allowed}`
  }
  return `${name} ${side === "min" ? "at least" : "at most"} ${figureAmount(rule.figure, bound, metrics, exactly)}`
}
