import { isToolResult } from "../../src/core/episode/tool-outcome.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { signature } from "../text/signature.ts"
import { callsMade } from "./calls-made.ts"

/** Options of {@link toolRecovery}. @public */
export interface ToolRecoveryOptions {
  readonly name?: string
}

/**
 * Recovery after errors of tools: of the calls that failed (threw, were late, were malformed, named a tool that there is not, or failed on
 * purpose), the share after which a later answer of the model called the same tool with success; after the name of no tool, any tool.
 *
 * A model that rightly gives up on a tool counts as not recovered: read it beside {@link finalState}. Range 0..1, higher is better; the
 * summary is the mean over episodes. Unscored: `no_episode`, `no_tool_error` where no call failed.
 *
 * Source: evalkit's own definition.
 *
 * @example
 * // search: error, then search: ok; book: timeout, and no further call of it
 * toolRecovery() // 0.5
 * @public
 */
export function toolRecovery(options: ToolRecoveryOptions = {}): Metric<number> {
  checkOptions("toolRecovery", options)
  const { name = "toolRecovery" } = options
  return meanMetric({
    name,
    signature: signature("toolRecovery", { by: "tool" }),
    unit: "share",
    measure(_sample, generation) {
      const calls = callsMade(generation)
      if ("status" in calls) return calls
      const failed = calls.filter(({ outcome }) => !isToolResult(outcome))
      if (failed.length === 0) return unscored("no_tool_error", "no call of a tool failed")
      const recovered = failed.filter((toolStep) =>
        calls.some(
          ({ name: called, outcome, asked }) =>
            asked > toolStep.asked &&
            isToolResult(outcome) &&
            (called === toolStep.name || toolStep.outcome === "unknown_tool"),
        ),
      )
      return recovered.length / failed.length
    },
  })
}
