import { canonicalJson } from "../../src/core/json.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { signature } from "../text/signature.ts"
import { callsMade } from "./calls-made.ts"

/** Options of {@link needlessCalls}. @public */
export interface NeedlessCallsOptions {
  readonly name?: string
}

/**
 * Needless calls: the share of an episode's calls that repeat an earlier call, with the same tool, equal arguments and the same result.
 * They cost time and tokens and told the model nothing.
 *
 * Does not see a call that was new and of no use; {@link stepEfficiency} compares with the number of steps that suffice. Range 0..1, lower
 * is better; the summary is the mean over episodes. Unscored: `no_episode`, `no_tool_calls`.
 *
 * Source: evalkit's own definition.
 *
 * @example
 * // search("a") twice with the same result, and search("b")
 * needlessCalls() // 0.3333
 * @public
 */
export function needlessCalls(options: NeedlessCallsOptions = {}): Metric<number> {
  checkOptions("needlessCalls", options)
  const { name = "needlessCalls" } = options
  return meanMetric({
    name,
    signature: signature("needlessCalls", { same: "call+result" }),
    direction: "lower",
    unit: "share",
    measure(_sample, generation) {
      const calls = callsMade(generation)
      if ("status" in calls) return calls
      if (calls.length === 0) return unscored("no_tool_calls", "no tool was called")
      const seen = new Set(calls.map((call) => canonicalJson([call.name, call.arguments, call.outcome, call.result])))
      return (calls.length - seen.size) / calls.length
    },
  })
}
