// `evalkit/metrics`: metrics, what a custom metric is made of, and the functions behind them.

export { type AnswerFieldOptions, answerField } from "../metrics/answer-field.ts"
export type { BbqRow } from "../metrics/bias/bbq.ts"
export { type BbqOptions, bbq } from "../metrics/bias/bbq.ts"
export { type CounterfactualBiasOptions, counterfactualBias } from "../metrics/bias/counterfactual-bias.ts"
export type { CounterfactualRow } from "../metrics/bias/counterfactual-pairs.ts"
export type { PairPreference } from "../metrics/bias/pair-outcomes.ts"
export * from "../metrics/bias/pair-preference.ts"
export {
  type PairTextRow,
  type StereotypePreferenceOptions,
  stereotypePreference,
} from "../metrics/bias/stereotype-preference.ts"
export { type WinoBiasOptions, type WinoBiasRow, winoBias } from "../metrics/bias/wino-bias.ts"
export { adaptiveCalibrationError } from "../metrics/calibration/adaptive-calibration-error.ts"
export type { AgreementRow } from "../metrics/calibration/agreement-calibration-error.ts"
export { agreementCalibrationError } from "../metrics/calibration/agreement-calibration-error.ts"
export { auroc } from "../metrics/calibration/auroc.ts"
export type { BinnedCalibrationOptions } from "../metrics/calibration/binned-calibration.ts"
export { brier } from "../metrics/calibration/brier.ts"
export { type ChoiceDistribution, choiceDistribution } from "../metrics/calibration/choice-distribution.ts"
export type { ClasswiseRow } from "../metrics/calibration/classwise-calibration-error.ts"
export {
  type ClasswiseOptions,
  classwiseCalibrationError,
} from "../metrics/calibration/classwise-calibration-error.ts"
export {
  type ConfidenceOptions,
  type ConfidenceRow,
  type ConfidenceSource,
  confidenceOf,
} from "../metrics/calibration/confidence.ts"
export { debiasedCalibrationError } from "../metrics/calibration/debiased-calibration-error.ts"
export { expectedCalibrationError } from "../metrics/calibration/expected-calibration-error.ts"
export { maximumCalibrationError } from "../metrics/calibration/maximum-calibration-error.ts"
export { negativeLogLikelihood } from "../metrics/calibration/negative-log-likelihood.ts"
export { riskCoverage } from "../metrics/calibration/risk-coverage.ts"
export {
  type CitationMarkOptions,
  type CitationOptions,
  type CitationRow,
  type CitationSupport,
  citationPrecision,
  citationRecall,
  inventedCitations,
  missingCitations,
} from "../metrics/citations/citations.ts"
export {
  type ClassificationFigure,
  type ClassificationOptions,
  classification,
  type LabelReading,
  type LabelRow,
} from "../metrics/classification/classification.ts"
export { type ColumnOptions, column } from "../metrics/column.ts"
export type { EquivalenceOptions } from "../metrics/consistency/answer-metric.ts"
export { distinctAnswers } from "../metrics/consistency/distinct-answers.ts"
export {
  type EmbeddingEquivalenceOptions,
  embeddingEquivalence,
} from "../metrics/consistency/embedding-equivalence.ts"
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
export { type FinalStateOptions, finalState } from "../metrics/episodes/final-state.ts"
export { type NeedlessCallsOptions, needlessCalls } from "../metrics/episodes/needless-calls.ts"
export { type OnEpisodeOptions, onToolResults, wholeConversation } from "../metrics/episodes/on-episode.ts"
export { type PerTurnOptions, perTurn, type TurnsRow } from "../metrics/episodes/per-turn.ts"
export {
  type PolicyRow,
  type PolicyView,
  type PolicyViolationsOptions,
  policyViolations,
} from "../metrics/episodes/policy-violations.ts"
export { type ResultUseOptions, resultUse } from "../metrics/episodes/result-use.ts"
export { type ToolRecoveryOptions, toolRecovery } from "../metrics/episodes/tool-recovery.ts"
export type { DecisionOptions } from "../metrics/fairness/decision-metric.ts"
export { demographicParity } from "../metrics/fairness/demographic-parity.ts"
export { equalOpportunity } from "../metrics/fairness/equal-opportunity.ts"
export { equalizedOdds } from "../metrics/fairness/equalized-odds.ts"
export type { GroupScoreRow } from "../metrics/fairness/group-accuracy.ts"
export { type GroupAccuracyOptions, groupAccuracy } from "../metrics/fairness/group-accuracy.ts"
export { gini, theil } from "../metrics/fairness/group-means.ts"
export type { DecisionRow } from "../metrics/fairness/group-rates.ts"
export { type UnsupportedClaimsOptions, unsupportedClaims } from "../metrics/hallucination/claims.ts"
export { type CombinedRow, type HallucinationOptions, hallucination } from "../metrics/hallucination/combined.ts"
export { type Detection, detection } from "../metrics/hallucination/detection.ts"
export { type Detector, type DetectorOptions, detectorMetric } from "../metrics/hallucination/detector.ts"
export type { Assessment, DetectorRow, Offence } from "../metrics/hallucination/detector-row.ts"
export {
  type EntailmentModel,
  type UnentailedSentencesOptions,
  unentailedSentences,
} from "../metrics/hallucination/entailment.ts"
export { type SelfConsistencyOptions, selfConsistency } from "../metrics/hallucination/self-consistency.ts"
export type { ConsistencyForm } from "../metrics/hallucination/self-consistency-forms.ts"
export * from "../metrics/hallucination/summary-facts.ts"
export { type UngroundedFactsOptions, ungroundedFacts } from "../metrics/hallucination/ungrounded-facts.ts"
export * from "../metrics/judged/answer-relevancy.ts"
export { type JudgedContextPrecisionOptions, judgedContextPrecision } from "../metrics/judged/context-precision.ts"
export { judgedContextRecall } from "../metrics/judged/context-recall.ts"
export { judgedContextRelevancy } from "../metrics/judged/context-relevancy.ts"
export { type FaithfulnessRow, judgedFaithfulness } from "../metrics/judged/faithfulness.ts"
export type { JudgedMetricOptions, JudgedPart, JudgedRow } from "../metrics/judged/judged-metric.ts"
export { type JudgedNoiseSensitivityOptions, judgedNoiseSensitivity } from "../metrics/judged/noise-sensitivity.ts"
export * from "../metrics/match/choice-match.ts"
export * from "../metrics/match/contains.ts"
export * from "../metrics/match/exact-match.ts"
export * from "../metrics/match/json-match.ts"
export { type LanguageMatchOptions, type LanguageRow, languageMatch } from "../metrics/match/language-match.ts"
export * from "../metrics/match/near-identity.ts"
export * from "../metrics/match/numeric-match.ts"
export * from "../metrics/match/regex-match.ts"
export * from "../metrics/overlap/bleu.ts"
export type { BleuSmoothing } from "../metrics/overlap/bleu-figure.ts"
export * from "../metrics/overlap/chrf.ts"
export * from "../metrics/overlap/edit-distance.ts"
export * from "../metrics/overlap/jaro-winkler.ts"
export * from "../metrics/overlap/meteor.ts"
export type { MeteorWeights } from "../metrics/overlap/meteor-figure.ts"
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
export type { ReadingChoice, ReadingForm, ReadingRow } from "../metrics/readings.ts"
export { type AnswerCorrectnessOptions, answerCorrectness } from "../metrics/retrieval/answer-correctness.ts"
export * from "../metrics/retrieval/answer-relevancy.ts"
export { contextPrecision, contextRecall, type PassageOptions } from "../metrics/retrieval/context-precision.ts"
export * from "../metrics/retrieval/context-relevancy.ts"
export { type EntityRecallOptions, entityRecall } from "../metrics/retrieval/entity-recall.ts"
export { type GroundednessOptions, groundedness } from "../metrics/retrieval/groundedness.ts"
export type { LostRow } from "../metrics/retrieval/lost-passages.ts"
export { type LostPassagesOptions, lostPassages } from "../metrics/retrieval/lost-passages.ts"
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
export { type RefusalOptions, refusal } from "../metrics/safety/refusal.ts"
export {
  type RefusalBalanceOptions,
  type RefusalBalanceRow,
  refusalBalance,
} from "../metrics/safety/refusal-balance.ts"
export { type ToxicityOptions, toxicity } from "../metrics/safety/toxicity.ts"
export {
  type ToxicityDetector,
  type ToxicityDetectorsOptions,
  type ToxicityDetectorsRow,
  toxicityDetectors,
} from "../metrics/safety/toxicity-detectors.ts"
export {
  type ContinuationRow,
  type VerbatimContinuationOptions,
  verbatimContinuation,
} from "../metrics/safety/verbatim-continuation.ts"
export * from "../metrics/semantic/bert-score.ts"
export type { FrequencySource } from "../metrics/semantic/document-frequency.ts"
export * from "../metrics/semantic/embedding-similarity.ts"
export type { MatchScores } from "../metrics/semantic/greedy-match.ts"
export * from "../metrics/semantic/learned-score.ts"
export * from "../metrics/semantic/mover-score.ts"
export type { MoverDistance } from "../metrics/semantic/mover-texts.ts"
export * from "../metrics/semantic/semantic-answer-similarity.ts"
export type { EmbedderOption } from "../metrics/semantic/use-embedder.ts"
export * from "../metrics/semantic/word-movers-distance.ts"
export type { Fact } from "../metrics/statements/facts.ts"
export type { UnicodeOption } from "../metrics/text/comparing.ts"
export type { LanguageCode } from "../metrics/text/languages/language.ts"
export type { Tokenizer, TokenizerName } from "../metrics/text/sacrebleu-tokenizers.ts"
export type { StatisticsRow } from "../metrics/text/sum-metric.ts"
export { type ArgumentF1Options, argumentF1 } from "../metrics/tools/argument-f1.ts"
export { type StepEfficiencyOptions, stepEfficiency } from "../metrics/tools/step-efficiency.ts"
export { type TaskCompletionOptions, taskCompletionCheck } from "../metrics/tools/task-completion.ts"
export type { Pairing, TurnOptions } from "../metrics/tools/tool-calls.ts"
export type { ToolRow } from "../metrics/tools/tool-correctness.ts"
export { type ToolCorrectnessOptions, toolCorrectness } from "../metrics/tools/tool-correctness.ts"
export type { WordNet } from "../metrics/wordnet/wordnet.ts"
export { loadWordNet } from "../metrics/wordnet/wordnet.ts"
export type { PartOfSpeech, WordNetFiles } from "../metrics/wordnet/wordnet-files.ts"
export * from "./core/given-text.ts"
export * from "./core/metric/cross-encoder.ts"
export * from "./core/metric/embedder.ts"
export type { ServiceCaller } from "./core/metric/metered.ts"
export * from "./core/metric/metric.ts"
export * from "./core/metric/metric-tools.ts"
export * from "./core/metric/moderator.ts"
export * from "./core/metric/pair-metric.ts"
export * from "./core/metric/scored-variant.ts"
export * from "./core/metric/text-classifier.ts"
export { isUnscoredCode, type UnscoredCode, unscoredCodes } from "./core/metric/unscored-code.ts"
export type { OpenOptions, UsedModel } from "./core/metric/used-model.ts"
export { columnMetric } from "./rows/column-metric.ts"
export { findLeaks, type Leak } from "./text/personal-data/leaks.ts"
export { isRefusal } from "./text/refusal.ts"
export type { ScoringWindow } from "./text/score-in-windows.ts"
