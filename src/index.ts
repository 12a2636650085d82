// `evalkit`: what a config names, in groups. What a library user calls besides lies in the sub-paths: `evalkit/metrics`,
// `/judges`, `/datasets`, `/providers`, `/stats`, `/reports`, `/bench`, `/engine`.

// Configs

export {
  type ConfigFunction,
  defineConfig,
  type EvaluationConfig,
  type VariantConfig,
  variant,
} from "./config/config.ts"
export { type EpisodeOptions, episode } from "./config/episode.ts"
export { type FewShotExample, type PromptOptions, prompt } from "./config/prompt.ts"
export type { PromptPart, PromptTurn } from "./config/prompt-parts.ts"
export { type SimulatedUserOptions, simulatedUser } from "./config/simulated-user.ts"
export { type SweepAxes, type SweepOptions, type SweepPoint, sweep } from "./config/sweep.ts"
export type {
  EpisodeDesign,
  HistoryPolicy,
  OpenSample,
  Said,
  SimulatedUser,
  Tool,
  ToolContext,
  ToolEffects,
} from "./core/episode/design.ts"
export type { GenerationParameters, Timeouts } from "./core/provider.ts"
export type { EnergyFactors } from "./core/run/energy-factors.ts"
export type { Budget, Evaluation, GateRule, HardBreak, RetryPolicy } from "./core/run/evaluation.ts"
export type { Prompt, Variant, VariantLimits } from "./core/variant.ts"

// Runs and scores from code

export type { EvaluateConfigOptions, EvaluationResult, FigureOfVariant } from "./library/evaluate.ts"
export { evaluate, score } from "./library/front-door.ts"
export type { AnswerScore, AnswerToScore, ScoreAnswersOptions, ScoredAnswers } from "./library/score.ts"

// Prices

export type {
  ElectricityPrice,
  HardwarePrice,
  HourlyPrice,
  LongPromptRates,
  OwnedPrice,
  Price,
  TieredRates,
  TokenPrice,
  TokenRates,
} from "./core/cost.ts"

// Data sets

export { dataset } from "../datasets/dataset.ts"
export type { FieldMapping, FieldSource } from "../datasets/fields.ts"
export { type InlineOptions, inline, type Rows } from "../datasets/inline.ts"
export type { DatasetFileOptions, DatasetOptions } from "../datasets/options.ts"
export { limitDataset } from "../datasets/part/limit.ts"
export type { Dataset } from "./core/dataset.ts"
export type { JsonObject, JsonValue } from "./core/json.ts"
export type { AudioPart, ContentPart, ImagePart, ImageUrlPart, MediaPart, TextPart } from "./core/media/part.ts"
export type { ChatMessage, ToolCall, ToolDefinition } from "./core/message.ts"
export type { Sample, SampleSplit, SampleTurn } from "./core/sample.ts"

// Copies of samples that ask whether the answer moves

export { counterfactual } from "../datasets/counterfactual/counterfactual.ts"
export {
  combinedSwap,
  groupSwap,
  nameSwap,
  pronounSwap,
  type Swap,
  swapWhere,
} from "../datasets/counterfactual/swaps.ts"
/**
 * What changes a sample without changing what is asked: `perturb.typos()`, `perturb.letterCase({ to: "upper" })` …
 * @public
 */
export * as perturb from "../datasets/perturb/all.ts"
export type { Perturbation } from "../datasets/perturb/perturbation.ts"
export { perturbed } from "../datasets/perturb/perturbed.ts"
export { bbqQuestions } from "../datasets/stereotype/bbq-questions.ts"
export { pronounQuestions } from "../datasets/stereotype/pronoun-questions.ts"
export { stereotypePairs } from "../datasets/stereotype/stereotype-pairs.ts"
export { loadWordNet } from "../metrics/wordnet/wordnet.ts"

// Metrics: of a part of the answer, and of what a test states

export { answerField } from "../metrics/answer-field.ts"
export type { AssertionFunction } from "./config/assertions/assertion.ts"
export { type AssertionsOptions, assertions } from "./config/assertions/assertions.ts"

// Metrics: right or wrong

export { classification } from "../metrics/classification/classification.ts"
export { column } from "../metrics/column.ts"
export { choiceMatch } from "../metrics/match/choice-match.ts"
export { contains } from "../metrics/match/contains.ts"
export { exactMatch } from "../metrics/match/exact-match.ts"
export { jsonMatch } from "../metrics/match/json-match.ts"
export { languageMatch } from "../metrics/match/language-match.ts"
export { nearIdentity } from "../metrics/match/near-identity.ts"
export { numericMatch } from "../metrics/match/numeric-match.ts"
export { regexMatch } from "../metrics/match/regex-match.ts"

// Metrics: likeness to references

export { bleu } from "../metrics/overlap/bleu.ts"
export { chrf } from "../metrics/overlap/chrf.ts"
export { editDistance } from "../metrics/overlap/edit-distance.ts"
export { jaroWinkler } from "../metrics/overlap/jaro-winkler.ts"
export { meteor } from "../metrics/overlap/meteor.ts"
export { meteorStems } from "../metrics/overlap/meteor-stems.ts"
export { rouge } from "../metrics/overlap/rouge.ts"
export { ter } from "../metrics/overlap/ter.ts"
export { tokenF1 } from "../metrics/overlap/token-f1.ts"
export type { LanguageCode } from "../metrics/text/languages/language.ts"

// Metrics: likeness in meaning

export { bertScore } from "../metrics/semantic/bert-score.ts"
export { embeddingSimilarity } from "../metrics/semantic/embedding-similarity.ts"
export { learnedScore } from "../metrics/semantic/learned-score.ts"
export { moverScore } from "../metrics/semantic/mover-score.ts"
export { semanticAnswerSimilarity } from "../metrics/semantic/semantic-answer-similarity.ts"
export { wordMoversDistance } from "../metrics/semantic/word-movers-distance.ts"

// Metrics: retrieval and grounding

export {
  citationPrecision,
  citationRecall,
  inventedCitations,
  missingCitations,
} from "../metrics/citations/citations.ts"
/** Relevancy, retrieval and faithfulness as a model judges them: `judged.contextRecall({ provider })` … @public */
export * as judged from "../metrics/judged/all.ts"
export { answerCorrectness } from "../metrics/retrieval/answer-correctness.ts"
export { answerRelevancy } from "../metrics/retrieval/answer-relevancy.ts"
export { contextPrecision, contextRecall } from "../metrics/retrieval/context-precision.ts"
export { contextRelevancy } from "../metrics/retrieval/context-relevancy.ts"
export { entityRecall } from "../metrics/retrieval/entity-recall.ts"
export { groundedness } from "../metrics/retrieval/groundedness.ts"
export { lostPassages } from "../metrics/retrieval/lost-passages.ts"
export { noiseSensitivity } from "../metrics/retrieval/noise-sensitivity.ts"
export {
  hitAtK,
  meanAveragePrecision,
  ndcg,
  precisionAtK,
  recallAtK,
  reciprocalRank,
} from "../metrics/retrieval/retrieval-metrics.ts"

// Metrics: hallucination

export { unsupportedClaims } from "../metrics/hallucination/claims.ts"
export { hallucination } from "../metrics/hallucination/combined.ts"
export { unentailedSentences } from "../metrics/hallucination/entailment.ts"
export { selfConsistency } from "../metrics/hallucination/self-consistency.ts"
export { summaryFacts } from "../metrics/hallucination/summary-facts.ts"
export { ungroundedFacts } from "../metrics/hallucination/ungrounded-facts.ts"

// Metrics: calibration and likelihood

export { adaptiveCalibrationError } from "../metrics/calibration/adaptive-calibration-error.ts"
export { agreementCalibrationError } from "../metrics/calibration/agreement-calibration-error.ts"
export { auroc } from "../metrics/calibration/auroc.ts"
export { brier } from "../metrics/calibration/brier.ts"
export { classwiseCalibrationError } from "../metrics/calibration/classwise-calibration-error.ts"
export { debiasedCalibrationError } from "../metrics/calibration/debiased-calibration-error.ts"
export { expectedCalibrationError } from "../metrics/calibration/expected-calibration-error.ts"
export { maximumCalibrationError } from "../metrics/calibration/maximum-calibration-error.ts"
export { negativeLogLikelihood } from "../metrics/calibration/negative-log-likelihood.ts"
export { riskCoverage } from "../metrics/calibration/risk-coverage.ts"
export { answerPerplexity } from "../metrics/perplexity/answer-perplexity.ts"
export { divergence } from "../metrics/perplexity/divergence.ts"
export { perplexity } from "../metrics/perplexity/perplexity.ts"
export { referencePerplexity, textPerplexity } from "../metrics/perplexity/text-perplexity.ts"

// Metrics: the same answer again

export { distinctAnswers } from "../metrics/consistency/distinct-answers.ts"
export { embeddingEquivalence } from "../metrics/consistency/embedding-equivalence.ts"
export { entailmentClasses } from "../metrics/consistency/entailment-classes.ts"
export { passAtK, passHatK } from "../metrics/consistency/pass-at-k.ts"
export { selfAgreement } from "../metrics/consistency/self-agreement.ts"
export { semanticEntropy } from "../metrics/consistency/semantic-entropy.ts"

// Metrics: fairness

export { bbq } from "../metrics/bias/bbq.ts"
export { counterfactualBias } from "../metrics/bias/counterfactual-bias.ts"
export { stereotypePreference } from "../metrics/bias/stereotype-preference.ts"
export { winoBias } from "../metrics/bias/wino-bias.ts"
export { demographicParity } from "../metrics/fairness/demographic-parity.ts"
export { equalOpportunity } from "../metrics/fairness/equal-opportunity.ts"
export { equalizedOdds } from "../metrics/fairness/equalized-odds.ts"
export { groupAccuracy } from "../metrics/fairness/group-accuracy.ts"

// Metrics: safety and robustness

export { attackSuccess } from "../metrics/robustness/attack-success.ts"
export { leaks } from "../metrics/safety/leaks.ts"
export { moderation } from "../metrics/safety/moderation.ts"
export { refusal } from "../metrics/safety/refusal.ts"
export { refusalBalance } from "../metrics/safety/refusal-balance.ts"
export { toxicity } from "../metrics/safety/toxicity.ts"
export { toxicityDetectors } from "../metrics/safety/toxicity-detectors.ts"
export { verbatimContinuation } from "../metrics/safety/verbatim-continuation.ts"

// Metrics: diversity and style

export { compressionRatio } from "../metrics/diversity/compression-ratio.ts"
export { distinctN } from "../metrics/diversity/distinct-n.ts"
export { nearDuplicates } from "../metrics/diversity/near-duplicates.ts"
export { readability } from "../metrics/diversity/readability.ts"
export { selfBleu } from "../metrics/diversity/self-bleu.ts"

// Metrics: tools and agents

/**
 * Metrics of conversations and agents: `episodeMetrics.finalState({ success })`, `episodeMetrics.perTurn(exactMatch())` …
 * @public
 */
export * as episodeMetrics from "../metrics/episodes/all.ts"
export { argumentF1 } from "../metrics/tools/argument-f1.ts"
export { stepEfficiency } from "../metrics/tools/step-efficiency.ts"
export { taskCompletionCheck } from "../metrics/tools/task-completion.ts"
export { toolCorrectness } from "../metrics/tools/tool-correctness.ts"

// Custom metrics

export { type CustomMeanOptions, type CustomOptions, custom } from "../metrics/custom.ts"
export type { Answer, Generation } from "./core/generation.ts"
export { ScoringError } from "./core/given-text.ts"
export { type MeanMetricOptions, meanMetric } from "./core/metric/mean-metric.ts"
export {
  type AnyMetric,
  type Measured,
  type Metric,
  type Summary,
  scored,
  type Unscored,
  unscored,
} from "./core/metric/metric.ts"
export type { MetricTools } from "./core/metric/metric-tools.ts"

// Judges

export { bestOf } from "../judges/best-of.ts"
export { checklist } from "../judges/checklist.ts"
export type { Judge, JudgeOptions } from "../judges/judge.ts"
export { pairwise } from "../judges/pairwise.ts"
export { panel } from "../judges/panel.ts"
export { referenceGuided } from "../judges/reference-guided.ts"
export { defineRubric, type Rubric, type RubricOptions } from "../judges/rubric.ts"
export { rubric } from "../judges/rubric-judge.ts"
/** Rubrics that judges read answers by: `rubrics.correctness`, `rubrics.toxicity` … @public */
export * as rubrics from "../judges/rubrics/all.ts"

// Providers

export type { Provider } from "./core/provider.ts"
export type { QuantizationType } from "./local-model/gguf/quantize-gguf.ts"
export type { AnthropicOptions } from "./providers/anthropic/options.ts"
export { anthropic } from "./providers/anthropic.ts"
export type { CohereOptions } from "./providers/cohere/options.ts"
export { cohere } from "./providers/cohere.ts"
export { command } from "./providers/command.ts"
export { fallback } from "./providers/fallback.ts"
export { fromFunction } from "./providers/function.ts"
export type { GeminiOptions } from "./providers/gemini/options.ts"
export { gemini } from "./providers/gemini.ts"
export { http } from "./providers/http.ts"
export { type LocalOptions, local } from "./providers/local.ts"
export type { OpenaiOptions } from "./providers/openai/options.ts"
export { openai } from "./providers/openai.ts"
export {
  azureOpenai,
  baseten,
  deepseek,
  fireworks,
  groq,
  llamaCppServer,
  lmStudio,
  mistral,
  nim,
  ollama,
  openrouter,
  type PresetOptions,
  sglang,
  tensorRtLlm,
  together,
  vllm,
} from "./providers/presets.ts"
export { recorded } from "./providers/recorded.ts"
export type { ServerOptions } from "./providers/server/options.ts"
export { textScorer } from "./providers/text-scorer.ts"
export { type McpLaunch, type McpToolsOptions, mcpTools } from "./providers/tools/mcp.ts"
export type { ArgumentSchema, Typed } from "./providers/tools/schema.ts"
export { type RecordedCall, type ToolFaults, type ToolOptions, type ToolResult, tool } from "./providers/tools/tool.ts"

// Encoders

export type { CrossEncoder } from "./core/metric/cross-encoder.ts"
export type { Embedder } from "./core/metric/embedder.ts"
export type { Moderator } from "./core/metric/moderator.ts"
export type { TextClassifier } from "./core/metric/text-classifier.ts"
export { classifier } from "./encoders/classifier/classifier.ts"
export { crossEncoder } from "./encoders/classifier/cross-encoder.ts"
export { entailmentModel } from "./encoders/classifier/entailment-model.ts"
export { openaiEmbeddings } from "./encoders/embedder/openai-embeddings.ts"
export { transformers } from "./encoders/embedder/transformers.ts"
export { openaiModeration } from "./encoders/moderation/openai-moderation.ts"

// Where runs are kept

export type { StoreSource } from "./core/run/store-source.ts"
export { type PostgresOptions, type PostgresTls, postgres } from "./store/postgres.ts"

// Errors and reports

/** What a run is written as: `renderers.html()`, `renderers.junit()` … @public */
export * as renderers from "../reports/renderers.ts"
export { EvalkitError, UsageError } from "./core/errors.ts"
export type { RunReport } from "./core/report/report.ts"
export type { ReportRenderer } from "./core/report/report-renderer.ts"
export type { ZodSchema } from "./providers/tools/schema.ts"
