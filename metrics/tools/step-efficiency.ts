import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { metadataFault } from "../../src/core/metric/metadata-fault.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { statesEmpty } from "../../src/core/sample.ts"
import { signature } from "../text/signature.ts"
import { madeCalls, type TurnOptions } from "./tool-calls.ts"

/** Options of {@link stepEfficiency}. @public */
export interface StepEfficiencyOptions extends TurnOptions {
  readonly name?: string
  /** Metadata field with the number of steps that suffice. Default `expectedSteps`; without it, the number of expected calls. */
  readonly field?: string
}

/**
 * Step efficiency: the steps (calls of tools) that suffice over the steps that were made, at most 1. No step where some
 * were needed is 0. Does not show whether the goal was reached: use it with {@link taskCompletion}.
 *
 * Range 0..1, higher is better; the summary is the mean. Unscored: `no_expected_steps`.
 *
 * Source: evalkit's own definition.
 *
 * @example
 * // expectedSteps 2, five calls made
 * stepEfficiency() // 0.4
 * @public
 */
export function stepEfficiency(options: StepEfficiencyOptions = {}): Metric<number> {
  checkOptions("stepEfficiency", options)
  const { name = "stepEfficiency", field = "expectedSteps" } = options
  return meanMetric({
    name,
    signature: signature("stepEfficiency", { field, turns: options.turns ?? "answer" }),
    unit: "share",
    measure(sample, generation) {
      const stated = Object.hasOwn(sample.metadata, field) ? sample.metadata[field] : undefined
      const expected = typeof stated === "number" ? stated : sample.expectedTools.length
      const made = madeCalls(sample, generation, options).length
      if (stated === undefined && statesEmpty(sample, "expectedTools")) return Number(made === 0)
      if (!(expected > 0))
        return unscored(
          "no_expected_steps",
          `no expected calls, and ${metadataFault(sample.metadata, field, "a number above 0")}`,
        )
      return made === 0 ? 0 : Math.min(1, expected / made)
    },
  })
}
