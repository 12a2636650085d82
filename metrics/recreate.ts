import type { AnyMetric, MetricRecipe } from "../src/core/metric/metric.ts"
import { bbq } from "./bias/bbq.ts"
import { counterfactualBias } from "./bias/counterfactual-bias.ts"
import { stereotypePreference } from "./bias/stereotype-preference.ts"
import { winoBias } from "./bias/wino-bias.ts"
import { adaptiveCalibrationError } from "./calibration/adaptive-calibration-error.ts"
import { agreementCalibrationError } from "./calibration/agreement-calibration-error.ts"
import { auroc } from "./calibration/auroc.ts"
import { classwiseCalibrationError } from "./calibration/classwise-calibration-error.ts"
import { debiasedCalibrationError } from "./calibration/debiased-calibration-error.ts"
import { expectedCalibrationError } from "./calibration/expected-calibration-error.ts"
import { maximumCalibrationError } from "./calibration/maximum-calibration-error.ts"
import { riskCoverage } from "./calibration/risk-coverage.ts"
import { classification } from "./classification/classification.ts"
import { distinctAnswers } from "./consistency/distinct-answers.ts"
import { passAtK, passHatK } from "./consistency/pass-at-k.ts"
import { selfAgreement } from "./consistency/self-agreement.ts"
import { semanticEntropy } from "./consistency/semantic-entropy.ts"
import { compressionRatio } from "./diversity/compression-ratio.ts"
import { distinctN } from "./diversity/distinct-n.ts"
import { selfBleu } from "./diversity/self-bleu.ts"
import { demographicParity } from "./fairness/demographic-parity.ts"
import { equalOpportunity } from "./fairness/equal-opportunity.ts"
import { equalizedOdds } from "./fairness/equalized-odds.ts"
import { groupAccuracy } from "./fairness/group-accuracy.ts"
import { bleu } from "./overlap/bleu.ts"
import { chrf } from "./overlap/chrf.ts"
import { ter } from "./overlap/ter.ts"
import { answerPerplexity } from "./perplexity/answer-perplexity.ts"
import { perplexity } from "./perplexity/perplexity.ts"
import { refusalBalance } from "./safety/refusal-balance.ts"

/** Metrics over a set of answers: their stored rows are summed up without the config. A mean needs no more than its rows. */
const makers: Readonly<Record<string, (options: never) => unknown>> = {
  adaptiveCalibrationError,
  agreementCalibrationError,
  answerPerplexity,
  auroc,
  bbq,
  bleu,
  chrf,
  classification,
  classwiseCalibrationError,
  compressionRatio,
  counterfactualBias,
  debiasedCalibrationError,
  demographicParity,
  distinctAnswers,
  distinctN,
  equalizedOdds,
  equalOpportunity,
  expectedCalibrationError,
  groupAccuracy,
  maximumCalibrationError,
  passAtK,
  passHatK,
  perplexity,
  refusalBalance,
  riskCoverage,
  selfAgreement,
  selfBleu,
  semanticEntropy,
  stereotypePreference,
  ter,
  winoBias,
}

/**
 * Makes a metric again from what a run keeps of it; null when it is not in the catalogue, or would be computed differently
 * now (its signature differs).
 */
export function recreateMetric(record: {
  readonly name: string
  readonly signature: string
  readonly title?: string
  readonly recipe?: MetricRecipe
}): AnyMetric | null {
  const { recipe, name, signature, title } = record
  if (!recipe || !Object.hasOwn(makers, recipe.metric)) return null
  const made = makers[recipe.metric]?.({ ...recipe.options, name } as never) as AnyMetric
  return withoutTokenizer(made.signature) === withoutTokenizer(signature)
    ? { ...made, signature, ...(title !== undefined && { title }) }
    : null
}

/** A tokenizer of somebody's own is not made again: rows are summed up without one. */
function withoutTokenizer(signature: string): string {
  return signature.replace(/\|tok:[^|]*/, "")
}
