import { UsageError } from "../../src/core/errors.ts"
import { meanMetric } from "../../src/core/metric/mean-metric.ts"
import { type Metric, unscored } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { tokenF1 } from "../overlap/token-f1.ts"
import { comparing } from "../text/comparing.ts"
import { signature } from "../text/signature.ts"

/** Options of {@link answerCorrectness}. @public */
export interface AnswerCorrectnessOptions {
  readonly name?: string
  /** A metric of meaning (0..1) that is in the same config, by name: `semanticAnswerSimilarity`. */
  readonly similarity?: string
  /** Weight of word overlap relative to meaning, 0..1. Default 0.75, as in Ragas. */
  readonly factWeight?: number
}

/**
 * Answer correctness: token F1 against the reference, mixed with a similarity of meaning where one is named. The model-free
 * form of Ragas' figure of that name (whose facts are counted by a model).
 *
 * Misleads as its parts do. Range 0..1, higher is better; the summary is the mean. Unscored: `no_reference`,
 * `no_similarity`, and `language` for scripts without blanks.
 *
 * Formula: weight × token F1 + (1 − weight) × similarity (at least 0); without a similarity the token F1 alone.
 *
 * @throws UsageError for a weight outside 0..1
 * @example
 * // output "a big red dog", references ["the red dog"]: token F1 0.8
 * answerCorrectness() // 0.8; with similarity 0.9: 0.825
 * @public
 */
export function answerCorrectness(options: AnswerCorrectnessOptions = {}): Metric<number> {
  checkOptions("answerCorrectness", options)
  const { name = "answerCorrectness", similarity, factWeight = 0.75 } = options
  if (!(factWeight >= 0 && factWeight <= 1))
    throw new UsageError(`the weight must be in 0..1, not ${factWeight}`, {
      where: "answerCorrectness({ factWeight })",
    })
  const words = tokenF1()
  const metric = meanMetric({
    name,
    signature: signature("answerCorrectness", {
      facts: "tokenF1",
      similarity: similarity ?? "none",
      weight: factWeight,
    }),
    unit: "share",
    ...(similarity !== undefined && { dependsOn: [similarity] }),
    async measure(sample, generation, tools) {
      const measured = await words.measure(sample, generation, tools)
      if (measured.status === "unscored") return measured
      const overlap = words.value(measured.row) as number
      if (similarity === undefined) return overlap
      const meaning = tools.valueOf(similarity)
      if (typeof meaning !== "number") return unscored("no_similarity", `${similarity} has no value for this answer`)
      return factWeight * overlap + (1 - factWeight) * Math.max(0, meaning)
    },
  })
  return comparing({ instead: 'tokenF1({ tokenize: "char" }) and chrf() compare characters' }, metric)
}
