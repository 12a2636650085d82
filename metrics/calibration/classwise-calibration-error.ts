import { type Metric, scored, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { expectedGap } from "../../src/stats/calibration/calibration-gap.ts"
import { classwiseGap } from "../../src/stats/calibration/classwise-gap.ts"
import { classesSquaredError } from "../../src/stats/calibration/scoring-rules.ts"
import { mean } from "../../src/stats/mean.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { binning } from "./binned-calibration.ts"
import { choiceDistribution, rightChoice } from "./choice-distribution.ts"

/** Options of {@link classwiseCalibrationError}. @public */
export interface ClasswiseOptions {
  readonly name?: string
  /** Number of bins of equal width. Default 15. */
  readonly bins?: number
}

/** A distribution over the options, and the right one's position. @public */
export interface ClasswiseRow {
  readonly shares: readonly number[]
  readonly label: number
}

/**
 * Classwise calibration error of multiple-choice answers: each option's letter is treated as a yes-or-no prediction, its
 * expected calibration error is computed, and the mean over letters is reported. It detects a model that prefers A whatever
 * the options say, which the error of the chosen option alone does not. The details hold the Brier score over all options (0..2).
 *
 * Range 0..1, lower is better. Samples must have the same number of options. Source: Nixon et al. 2019; Kull et al. 2019.
 * Unscored: `no_distribution`, `no_label`.
 *
 * @example
 * // two questions, options A and B, always 0.5 and 0.5, right: A and B
 * classwiseCalibrationError() // 0
 * @public
 */
export function classwiseCalibrationError(options: ClasswiseOptions = {}): Metric<ClasswiseRow> {
  checkOptions("classwiseCalibrationError", options)
  const { name = "classwiseCalibrationError" } = options
  const { bins } = binning(options)
  return {
    name,
    signature: signature("classwiseCalibrationError", { bins, scheme: "width", classes: "choices" }),
    direction: "lower",
    range: [0, 1],
    unit: "score",
    aggregation: { kind: "rows" },
    recipe: recipe("classwiseCalibrationError", options),
    needs: { logprobs: true, topLogprobs: 20 },
    measure(sample, generation) {
      const distribution = choiceDistribution(sample, generation)
      if (!distribution)
        return unscored("no_distribution", "no option's letter among the tokens and their alternatives")
      const label = rightChoice(sample)
      if (label === null) return unscored("no_label", "neither label nor reference names an option")
      return scored({ shares: distribution.shares, label })
    },
    value: () => null,
    summarise(rows) {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const sizes = new Set(rows.map((entry) => entry.row.shares.length))
      if (sizes.size > 1) return { value: null, reason: "samples have different numbers of options" }
      const value = classwiseGap(
        rows.map((entry) => entry.row.shares),
        rows.map((entry) => entry.row.label),
        bins,
        expectedGap,
      )
      const brier = mean(rows.map(({ row }) => classesSquaredError(row.shares, row.label)))
      return { value, details: { n: rows.length, classes: [...sizes][0] as number, brier } }
    },
  }
}
