import type { ToolStep } from "../../src/core/episode/step.ts"
import { messageOf } from "../../src/core/errors.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"
import { callsMade } from "./calls-made.ts"

/** What a rule looks at. @public */
export interface PolicyView {
  readonly sample: Sample
  /** Calls of tools in the order in which the model asked for them. */
  readonly calls: readonly ToolStep[]
  /** The last answer. */
  readonly text: string
}

/** Options of {@link policyViolations}. @public */
export interface PolicyViolationsOptions {
  readonly name?: string
  /** Part of the signature; change it with the rules. Default `1`. */
  readonly version?: string
  /** Rules by name: each says whether it was broken. */
  readonly rules: Readonly<Record<string, (view: PolicyView) => boolean>>
}

/** Which rules an episode broke. @public */
export interface PolicyRow {
  readonly broken: readonly string[]
}

/**
 * Policy violations: the share of episodes in which at least one rule was broken, by rules of your own over the calls that were made. The
 * details count the episodes by rule.
 *
 * Range 0..1, lower is better; the summary is the mean. Unscored: `no_episode`, `check_failed` when a rule throws.
 *
 * Misleads where a rule was not thought of: an episode without a violation broke none of those that were written. Source:
 * evalkit's own definition.
 *
 * @example
 * // of 4 episodes one refunds before it has looked at the order: 0.25
 * policyViolations({ rules: {
 *   "refund without a look at the order": ({ calls }) =>
 *     calls.findIndex(({ name }) => name === "refund") >= 0 && calls[0]?.name !== "getOrder",
 * } })
 * @public
 */
export function policyViolations(options: PolicyViolationsOptions): Metric<PolicyRow> {
  checkOptions("policyViolations", options)
  const { name = "policyViolations", version = "1", rules } = options
  const names = Object.keys(rules)
  return rowMetric<PolicyRow>({
    name,
    signature: signature("policyViolations", { rules: names.length, check: version }),
    direction: "lower",
    range: [0, 1],
    unit: "share",
    measure(sample, generation) {
      const calls = callsMade(generation)
      if ("status" in calls) return calls
      const view: PolicyView = { sample, calls, text: generation.text }
      try {
        return { broken: Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken(view) === true ? [rule] : [])) }
      } catch (error) {
        return unscored("check_failed", messageOf(error).slice(0, 200))
      }
    },
    value: ({ broken }) => Number(broken.length > 0),
    details: (rows) =>
      Object.fromEntries(names.map((rule) => [rule, rows.filter(({ broken }) => broken.includes(rule)).length])),
  })
}
