import type { AnyMetric, MetricRecipe } from "../src/core/metric/metric.ts"
import { stereotypePreference } from "./bias/stereotype-preference.ts"
import { expectedCalibrationError } from "./calibration/expected-calibration-error.ts"
import { classification } from "./classification/classification.ts"
import { bleu } from "./overlap/bleu.ts"
import { chrf } from "./overlap/chrf.ts"
import { ter } from "./overlap/ter.ts"
import { answerPerplexity } from "./perplexity/answer-perplexity.ts"
import { perplexity } from "./perplexity/perplexity.ts"

/** Metrics over a corpus that need nothing but options: their stored rows can be summarised without the config. */
const makers: Readonly<Record<string, (options: never) => unknown>> = {
  bleu,
  chrf,
  ter,
  perplexity,
  answerPerplexity,
  expectedCalibrationError,
  classification,
  stereotypePreference,
}

/**
 * Makes a metric again from what a run keeps of it; null when it is not in the catalogue, or would be computed differently
 * now (its signature differs).
 */
export function recreateMetric(record: {
  readonly name: string
  readonly signature: string
  readonly recipe?: MetricRecipe
}): AnyMetric | null {
  const { recipe, name, signature } = record
  if (!recipe || !Object.hasOwn(makers, recipe.metric)) return null
  const made = makers[recipe.metric]?.({ ...recipe.options, name } as never) as AnyMetric
  return withoutTokenizer(made.signature) === withoutTokenizer(signature) ? { ...made, signature } : null
}

/** A tokenizer of somebody's own is not made again: rows are summed up without one. */
function withoutTokenizer(signature: string): string {
  return signature.replace(/\|tok:[^|]*/, "")
}
