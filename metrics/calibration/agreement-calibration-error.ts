import { type Metric, type RowEntry, scored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { expectedGap } from "../../src/stats/calibration/calibration-gap.ts"
import { bySample } from "../consistency/repeats.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { squadNormalize } from "../text/squad-normalize.ts"
import { type BinnedCalibrationOptions, binnedDetails, binning } from "./binned-calibration.ts"
import { correctnessOf } from "./confidence.ts"

/** One of several answers to a sample, normalised, and whether it is right. @public */
export interface AgreementRow {
  readonly answer: string
  readonly correct: number
}

/**
 * Calibration error with agreement as confidence: the share of the repeats that give the most frequent answer, against
 * whether that answer is right. For models that give no log-probabilities.
 *
 * Range 0..1, lower is better. Needs repeats at a temperature above 0. Ties go to the answer that comes first in the
 * alphabet, so that the order of the repeats does not matter. Source: Wang et al. 2023, "Self-Consistency".
 *
 * @example
 * // one sample, repeats "Paris", "paris", "Lyon", reference "Paris": confidence 2/3, right
 * agreementCalibrationError() // 1/3
 * @public
 */
export function agreementCalibrationError(
  options: Omit<BinnedCalibrationOptions, "confidence"> = {},
): Metric<AgreementRow> {
  checkOptions("agreementCalibrationError", options)
  const { bins, scheme, cut } = binning(options)
  return {
    name: options.name ?? "agreementCalibrationError",
    signature: signature("agreementCalibrationError", { bins, scheme, correct: options.correct ?? "exactMatch" }),
    direction: "lower",
    range: [0, 1],
    unit: "score",
    aggregation: { kind: "rows" },
    recipe: recipe("agreementCalibrationError", options),
    needs: { repeats: 2 },
    ...(options.correct && { dependsOn: [options.correct] }),
    async measure(sample, generation, tools) {
      const correct = await correctnessOf(sample, generation, tools, options)
      if (typeof correct !== "number") return correct
      return scored({ answer: squadNormalize(generation.text), correct })
    },
    value: () => null,
    summarise(rows: readonly RowEntry<AgreementRow>[]) {
      const samples = bySample(rows, 2).map(majority)
      if (samples.length === 0) return { value: null, reason: "no sample has two answers: set repeats" }
      const binned = cut(
        Float64Array.from(samples, (sample) => sample.confidence),
        Float64Array.from(samples, (sample) => sample.correct),
      )
      return { value: expectedGap(binned), details: { samples: samples.length, ...binnedDetails(binned, scheme) } }
    },
  }
}

function majority(answers: readonly AgreementRow[]): { confidence: number; correct: number } {
  const counts = new Map<string, { count: number; correct: number }>()
  for (const { answer, correct } of answers) {
    counts.set(answer, { count: (counts.get(answer)?.count ?? 0) + 1, correct })
  }
  const [, winner] = [...counts].sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1))[0] as [
    string,
    { count: number; correct: number },
  ]
  return { confidence: winner.count / answers.length, correct: winner.correct }
}
