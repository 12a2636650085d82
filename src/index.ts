export { type CounterfactualOptions, counterfactual } from "../datasets/counterfactual/counterfactual.ts"
export {
  combinedSwap,
  type Direction,
  type GroupSwapOptions,
  groupSwap,
  type NameSwapOptions,
  nameSwap,
  pronounSwap,
  type Swap,
  swapWhere,
} from "../datasets/counterfactual/swaps.ts"
export { dataset } from "../datasets/dataset.ts"
export type { FieldMapping, FieldSource } from "../datasets/fields.ts"
export { type InlineOptions, inline } from "../datasets/inline.ts"
export { limitDataset } from "../datasets/limit.ts"
export type { DatasetOptions } from "../datasets/options.ts"
export {
  type AddedSentenceOptions,
  distractorSentence,
  fillerSentence,
  foreignSentence,
} from "../datasets/perturb/added-sentence.ts"
export { type AttackOptions, injectedInstruction, secretProbe } from "../datasets/perturb/attacks.ts"
export { choiceOrder } from "../datasets/perturb/choice-order.ts"
export { compose } from "../datasets/perturb/compose.ts"
export { contextOrder, type TruncatedContextOptions, truncatedContext } from "../datasets/perturb/context-changes.ts"
export { type ContractionsOptions, contractions } from "../datasets/perturb/contractions.ts"
export { type HomoglyphsOptions, homoglyphs } from "../datasets/perturb/homoglyphs.ts"
export { type InvisibleCharactersOptions, invisibleCharacters } from "../datasets/perturb/invisible-characters.ts"
export { type LetterCaseOptions, letterCase } from "../datasets/perturb/letter-case.ts"
export { type NumeralsOptions, numerals } from "../datasets/perturb/numerals.ts"
export { type ParaphraseTemplateOptions, paraphraseTemplate } from "../datasets/perturb/paraphrase-template.ts"
export { type Perturbation, type TextPerturbationOptions, textPerturbation } from "../datasets/perturb/perturbation.ts"
export { type PerturbedOptions, perturbed } from "../datasets/perturb/perturbed.ts"
export { type PhoneticTyposOptions, phoneticTypos } from "../datasets/perturb/phonetic-typos.ts"
export { type PunctuationOptions, punctuation } from "../datasets/perturb/punctuation.ts"
export { type SynonymsOptions, synonyms, type Thesaurus } from "../datasets/perturb/synonyms.ts"
export { type TyposOptions, typos } from "../datasets/perturb/typos.ts"
export { type WhitespaceOptions, whitespace } from "../datasets/perturb/whitespace.ts"
export { type ReadRowsOptions, readRows } from "../datasets/read-rows.ts"
export type { Against } from "../judges/against.ts"
export { type Aggregate, aggregateScores } from "../judges/aggregate.ts"
export type { Anchor } from "../judges/anchors.ts"
export { type Attack, attacks } from "../judges/attacks.ts"
export { type BestOfOptions, bestOf } from "../judges/best-of.ts"
export { type ChecklistOptions, checklist } from "../judges/checklist.ts"
export type { Judge, JudgeOptions } from "../judges/judge.ts"
export { type MovedVerdicts, movedVerdicts } from "../judges/moved-verdicts.ts"
export { type PairwiseOptions, pairwise } from "../judges/pairwise.ts"
export { type PanelOptions, panel } from "../judges/panel.ts"
export { type ReferenceGuidedOptions, referenceGuided } from "../judges/reference-guided.ts"
export { type Choice, defineRubric, type Rubric, type RubricField, type RubricOptions } from "../judges/rubric.ts"
export { type RubricJudgeOptions, rubric } from "../judges/rubric-judge.ts"
export * from "../judges/rubrics/bias.ts"
export * from "../judges/rubrics/closed-question.ts"
export * from "../judges/rubrics/code-answer.ts"
export * from "../judges/rubrics/correctness.ts"
export * from "../judges/rubrics/factuality.ts"
export * from "../judges/rubrics/faithfulness.ts"
export * from "../judges/rubrics/grade-0-to-1.ts"
export * from "../judges/rubrics/grade-1-to-5.ts"
export * from "../judges/rubrics/helpfulness.ts"
export * from "../judges/rubrics/instruction-following.ts"
export * from "../judges/rubrics/summary-quality.ts"
export * from "../judges/rubrics/task-completion.ts"
export * from "../judges/rubrics/tiny-judge.ts"
export * from "../judges/rubrics/toxicity.ts"
export * from "../judges/rubrics/translation-adequacy.ts"
export * from "../judges/rubrics/yes-no.ts"
export * from "../judges/win-rates.ts"
export { type BbqOptions, bbq } from "../metrics/bias/bbq.ts"
export { type CounterfactualBiasOptions, counterfactualBias } from "../metrics/bias/counterfactual-bias.ts"
export * from "../metrics/bias/pair-preference.ts"
export { crowsPair, stereoSetPair } from "../metrics/bias/pair-rows.ts"
export { adaptiveCalibrationError } from "../metrics/calibration/adaptive-calibration-error.ts"
export { agreementCalibrationError } from "../metrics/calibration/agreement-calibration-error.ts"
export { auroc } from "../metrics/calibration/auroc.ts"
export { brier } from "../metrics/calibration/brier.ts"
export { type ChoiceDistribution, choiceDistribution } from "../metrics/calibration/choice-distribution.ts"
export { type ClasswiseOptions, classwiseCalibrationError } from "../metrics/calibration/classwise-calibration-error.ts"
export {
  type ConfidenceOptions,
  type ConfidenceRow,
  type ConfidenceSource,
  confidenceOf,
} from "../metrics/calibration/confidence.ts"
export { debiasedCalibrationError } from "../metrics/calibration/debiased-calibration-error.ts"
export {
  type BinnedCalibrationOptions,
  expectedCalibrationError,
} from "../metrics/calibration/expected-calibration-error.ts"
export { maximumCalibrationError } from "../metrics/calibration/maximum-calibration-error.ts"
export { negativeLogLikelihood } from "../metrics/calibration/negative-log-likelihood.ts"
export { riskCoverage } from "../metrics/calibration/risk-coverage.ts"
export type { EquivalenceOptions } from "../metrics/consistency/answer-metric.ts"
export { distinctAnswers } from "../metrics/consistency/distinct-answers.ts"
export { type EmbeddingEquivalenceOptions, embeddingEquivalence } from "../metrics/consistency/embedding-equivalence.ts"
export { entailmentClasses } from "../metrics/consistency/entailment-classes.ts"
export { type PassAtKOptions, passAtK, passHatK } from "../metrics/consistency/pass-at-k.ts"
export { selfAgreement } from "../metrics/consistency/self-agreement.ts"
export { semanticEntropy } from "../metrics/consistency/semantic-entropy.ts"
export * from "../metrics/custom.ts"
export * from "../metrics/diversity/compression-ratio.ts"
export * from "../metrics/diversity/distinct-n.ts"
export * from "../metrics/diversity/near-duplicates.ts"
export * from "../metrics/diversity/readability.ts"
export * from "../metrics/diversity/self-bleu.ts"
export type { DecisionOptions } from "../metrics/fairness/decision-metric.ts"
export { demographicParity } from "../metrics/fairness/demographic-parity.ts"
export { equalOpportunity } from "../metrics/fairness/equal-opportunity.ts"
export { equalizedOdds } from "../metrics/fairness/equalized-odds.ts"
export { type GroupAccuracyOptions, groupAccuracy } from "../metrics/fairness/group-accuracy.ts"
export { gini, theil } from "../metrics/fairness/group-means.ts"
export { type UnsupportedClaimsOptions, unsupportedClaims } from "../metrics/hallucination/claims.ts"
export { type CombinedRow, type HallucinationOptions, hallucination } from "../metrics/hallucination/combined.ts"
export { type Detection, detection } from "../metrics/hallucination/detection.ts"
export {
  type EntailmentModel,
  type UnentailedSentencesOptions,
  unentailedSentences,
} from "../metrics/hallucination/entailment.ts"
export { type Lens, type LensOptions, lensMetric } from "../metrics/hallucination/lens.ts"
export type { Assessment, LensRow, Offence } from "../metrics/hallucination/lens-row.ts"
export { type SelfConsistencyOptions, selfConsistency } from "../metrics/hallucination/self-consistency.ts"
export * from "../metrics/hallucination/summary-facts.ts"
export { type UngroundedFactsOptions, ungroundedFacts } from "../metrics/hallucination/ungrounded-facts.ts"
export * from "../metrics/match/choice-match.ts"
export * from "../metrics/match/contains.ts"
export * from "../metrics/match/exact-match.ts"
export * from "../metrics/match/json-match.ts"
export * from "../metrics/match/near-identity.ts"
export * from "../metrics/match/numeric-match.ts"
export * from "../metrics/match/regex-match.ts"
export * from "../metrics/overlap/bleu.ts"
export * from "../metrics/overlap/chrf.ts"
export * from "../metrics/overlap/edit-distance.ts"
export * from "../metrics/overlap/jaro-winkler.ts"
export * from "../metrics/overlap/meteor.ts"
export { type MeteorStemsOptions, meteorStems } from "../metrics/overlap/meteor-stems.ts"
export * from "../metrics/overlap/rouge.ts"
export * from "../metrics/overlap/ter.ts"
export * from "../metrics/overlap/token-f1.ts"
export { type AnswerPerplexityOptions, answerPerplexity } from "../metrics/perplexity/answer-perplexity.ts"
export { type DivergenceOptions, type DivergenceRow, divergence } from "../metrics/perplexity/divergence.ts"
export { type PerplexityOptions, perplexity } from "../metrics/perplexity/perplexity.ts"
export { type PerplexityDrift, perplexityDrift } from "../metrics/perplexity/perplexity-drift.ts"
export { type PerplexityRow, perplexityFigures, perplexityRow } from "../metrics/perplexity/row.ts"
export {
  referencePerplexity,
  type TextPerplexityOptions,
  textPerplexity,
} from "../metrics/perplexity/text-perplexity.ts"
export { type AnswerCorrectnessOptions, answerCorrectness } from "../metrics/retrieval/answer-correctness.ts"
export * from "../metrics/retrieval/answer-relevancy.ts"
export { contextPrecision, contextRecall, type PassageOptions } from "../metrics/retrieval/context-precision.ts"
export * from "../metrics/retrieval/context-relevancy.ts"
export { type EntityRecallOptions, entityRecall } from "../metrics/retrieval/entity-recall.ts"
export { type GroundednessOptions, groundedness } from "../metrics/retrieval/groundedness.ts"
export { type NoiseSensitivityOptions, noiseSensitivity } from "../metrics/retrieval/noise-sensitivity.ts"
export {
  hitAtK,
  meanAveragePrecision,
  ndcg,
  precisionAtK,
  type RetrievalOptions,
  recallAtK,
  reciprocalRank,
} from "../metrics/retrieval/retrieval-metrics.ts"
export { type AttackSuccessOptions, attackSuccess } from "../metrics/robustness/attack-success.ts"
export { type TemplateSensitivity, templateSensitivity } from "../metrics/robustness/template-sensitivity.ts"
export { type LeaksOptions, leaks } from "../metrics/safety/leaks.ts"
export { type ModerationOptions, type ModerationRow, moderation } from "../metrics/safety/moderation.ts"
export { findLeaks, type Leak } from "../metrics/safety/personal-data.ts"
export { isRefusal, type RefusalOptions, refusal } from "../metrics/safety/refusal.ts"
export { type ToxicityOptions, toxicity } from "../metrics/safety/toxicity.ts"
export * from "../metrics/semantic/bert-score.ts"
export * from "../metrics/semantic/embedding-similarity.ts"
export * from "../metrics/semantic/mover-score.ts"
export * from "../metrics/semantic/semantic-answer-similarity.ts"
export * from "../metrics/semantic/word-movers-distance.ts"
export type { LanguageCode } from "../metrics/text/languages/language.ts"
export type { Tokenizer, TokenizerName } from "../metrics/text/sacrebleu-tokenizers.ts"
export { type ArgumentF1Options, argumentF1 } from "../metrics/tools/argument-f1.ts"
export { type StepEfficiencyOptions, stepEfficiency } from "../metrics/tools/step-efficiency.ts"
export { type TaskCompletionOptions, taskCompletionCheck } from "../metrics/tools/task-completion.ts"
export { type ToolCorrectnessOptions, toolCorrectness } from "../metrics/tools/tool-correctness.ts"
export { loadWordNet } from "../metrics/wordnet/wordnet.ts"
export { type HtmlOptions, renderHtml } from "../reports/export/html.ts"
export { renderJson } from "../reports/export/json.ts"
export { renderJunit } from "../reports/export/junit.ts"
export { renderMarkdown } from "../reports/export/markdown.ts"
export {
  annotations,
  answersCsv,
  type ChartOptions,
  csv,
  html,
  json,
  jsonl,
  junit,
  markdown,
  otlp,
  otlpMetrics,
  parquet,
  png,
  reportRenderers,
  svg,
  terminal,
  vegaLite,
} from "../reports/renderers.ts"
export * from "./config/config.ts"
export { type LoadedConfig, loadConfig } from "./config/load.ts"
export { applyOverrides, type Overrides } from "./config/overrides.ts"
export { defaultPrompt, type FewShotExample, type PromptOptions, prompt } from "./config/prompt.ts"
export { validateConfig } from "./config/validate.ts"
export * from "./core/clock.ts"
export * from "./core/copy-of.ts"
export * from "./core/cost.ts"
export * from "./core/dataset.ts"
export * from "./core/errors.ts"
export * from "./core/evaluation.ts"
export * from "./core/generation.ts"
export * from "./core/given-text.ts"
export * from "./core/json.ts"
export * from "./core/message.ts"
export * from "./core/metric/embedder.ts"
export * from "./core/metric/metric.ts"
export * from "./core/metric/metric-tools.ts"
export * from "./core/metric/moderator.ts"
export * from "./core/metric/pair-metric.ts"
export * from "./core/metric/scored-variant.ts"
export * from "./core/metric/text-classifier.ts"
export { isUnscoredCode, type UnscoredCode, unscoredCodes } from "./core/metric/unscored-code.ts"
export * from "./core/outcome.ts"
export * from "./core/progress.ts"
export * from "./core/provider.ts"
export * from "./core/random.ts"
export * from "./core/report/comparison.ts"
export * from "./core/report/decision.ts"
export * from "./core/report/figure.ts"
export * from "./core/report/frontier.ts"
export * from "./core/report/report.ts"
export type { ReportRenderer, ReportScreen, WriteChunk } from "./core/report/report-renderer.ts"
export * from "./core/report/report-sections.ts"
export * from "./core/report/section-judge.ts"
export * from "./core/request-log.ts"
export * from "./core/sample.ts"
export * from "./core/usage.ts"
export * from "./core/variant.ts"
export { breakEvenQueriesPerMonth, monthlyApiBill, monthlyHardwareBill, type Traffic } from "./cost/break-even.ts"
export * from "./cost/budget.ts"
export * from "./cost/cost-figures.ts"
export { costOfGeneration, costOfUsage } from "./cost/cost-of-usage.ts"
export * from "./cost/hardware.ts"
export * from "./cost/price-book.ts"
export * from "./cost/token-totals.ts"
export { type ClassifierOptions, classifier, entailmentModel } from "./encoders/classifier/classifier.ts"
export {
  type EmbeddingUsage,
  type MeteredEmbedder,
  type OpenaiEmbeddingsOptions,
  openaiEmbeddings,
} from "./encoders/embedder/openai-embeddings.ts"
export { type TransformersOptions, transformers } from "./encoders/embedder/transformers.ts"
export { type OpenaiModerationOptions, openaiModeration } from "./encoders/moderation/openai-moderation.ts"
export { type BenchTarget, type LevelOptions, measureLevel } from "./engine/bench/measure-level.ts"
export { type LoadOptions, type LoadOutcome, runLoad } from "./engine/bench/run-load.ts"
export { searchRate } from "./engine/bench/search-rate.ts"
export { adjustComparisons } from "./engine/compare/adjust-comparisons.ts"
export { bestOfJudge } from "./engine/compare/best-of.ts"
export { type CompareOptions, compareVariants } from "./engine/compare/compare.ts"
export {
  type ForeignOptions,
  type ForeignRow,
  type ForeignVariant,
  foreignVariant,
} from "./engine/compare/compare-files.ts"
export { type Constraint, parseConstraints } from "./engine/decide/constraints.ts"
export { type DecideOptions, decide } from "./engine/decide/decide.ts"
export { evaluateGate, gateExitCode } from "./engine/decide/gate.ts"
export { type PowerPlan, type PowerPlanOptions, planPower } from "./engine/decide/plan-power.ts"
export { computeTrend, type Trend, type TrendOptions } from "./engine/decide/trend.ts"
export { computeFrontier, type FrontierOptions } from "./engine/frontier/frontier.ts"
export { type FrontierOfVariantsOptions, frontierOfVariants } from "./engine/frontier/frontier-of-variants.ts"
export type { FrontierVariant } from "./engine/frontier/frontier-variant.ts"
export { cascadeCurve, type RouterOptions, routerCurve } from "./engine/frontier/router.ts"
export { routerSentence } from "./engine/frontier/router-sentence.ts"
export { type RunRoutersOptions, runRouters } from "./engine/frontier/run-routers.ts"
export { type UtilityShare, utilityShares } from "./engine/frontier/utility.ts"
export { type IntervalOptions, type QualityResult, qualityFigure } from "./engine/report/interval.ts"
export { type Validation, type ValidationItem, validateJudge } from "./engine/report/judge-card/validation.ts"
export { type CalibrationSectionOptions, calibrationSection } from "./engine/report/sections/calibration.ts"
export { type DivergenceSectionOptions, divergenceSection } from "./engine/report/sections/divergence.ts"
export { type RobustnessSectionOptions, robustnessSection } from "./engine/report/sections/robustness.ts"
export { createStoppingRule, type StoppingOptions, type StoppingRule } from "./engine/run/early-stopping.ts"
export { type EvaluateOptions, type EvaluateResult, evaluate } from "./engine/run/evaluate.ts"
export { columnMetric } from "./engine/score/column-metric.ts"
export { type EnsureQuantizedOptions, ensureQuantized } from "./local-model/gguf/ensure-quantized.ts"
export * from "./local-model/gguf/gguf-file.ts"
export { type QuantizationType, type QuantizeOptions, quantizeGguf } from "./local-model/gguf/quantize-gguf.ts"
export { readGguf } from "./local-model/gguf/read-gguf.ts"
export { type GgufTensorSource, type WrittenGguf, writeGguf } from "./local-model/gguf/write-gguf.ts"
export { answerLatency, generationFigures } from "./perf/answer-latency.ts"
export type { BenchLevel } from "./perf/bench/bench-level.ts"
export type { RateSearch } from "./perf/bench/bench-result.ts"
export { type Saturation, saturationOf } from "./perf/bench/saturation.ts"
export { parseSlo, type Slo } from "./perf/bench/slo.ts"
export { doubtfulFigures } from "./perf/client/client-error-check.ts"
export { type ErrorBudget, errorBudget } from "./perf/client/error-budget.ts"
export { type CalibrationOptions, type ClientError, calibrateClient } from "./perf/client/self-calibration.ts"
export { type ContextWindow, contextShare, createContextUse } from "./perf/context-use.ts"
export { type ToolFigures, toolFigures } from "./perf/conventions.ts"
export { type ArrivalOptions, drawArrivals, gapVariation } from "./perf/load/arrivals.ts"
export { type LoadPlan, offeredRate } from "./perf/load/load-plan.ts"
export { parseTrace, type TraceEntry } from "./perf/load/trace.ts"
export { percentileFigure, quantileOfSorted } from "./perf/percentile.ts"
export { type RequestFigures, requestFigures } from "./perf/request-figures.ts"
export { createSpeedAccumulator, type SpeedAccumulator, type SpeedOptions } from "./perf/speed-figures.ts"
export { crossover, timeToTokens } from "./perf/time-to-tokens.ts"
export { type CommandOptions, command } from "./providers/command.ts"
export { type LocalOptions, local } from "./providers/local.ts"
export type { EndpointFeatures, OpenaiOptions, Transport } from "./providers/openai/options.ts"
export { openai } from "./providers/openai.ts"
export * from "./providers/presets.ts"
export type { RecordedRow } from "./providers/recorded/row.ts"
export { type RecordedOptions, recorded } from "./providers/recorded.ts"
export type { ServerOptions } from "./providers/server/options.ts"
export { openServerSession } from "./providers/server/session.ts"
export { textScorer } from "./providers/text-scorer.ts"
export type { Readiness } from "./serving/readiness.ts"
export * as stats from "./stats/all.ts"
export { openRunStore } from "./store/run-store.ts"
export type { ScoringWindow } from "./text/score-in-windows.ts"
