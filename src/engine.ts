// `evalkit/engine`: runs from code: configs, the pipeline, the store, comparisons, frontiers, decisions.

export type { CriticalSamples } from "../datasets/mark-critical.ts"
export { adjustComparisons } from "./analyse/compare/adjust-comparisons.ts"
export { type CompareOptions, compareVariants } from "./analyse/compare/compare.ts"
export type { ItemDifficulty } from "./analyse/compare/difficulty/item-difficulty.ts"
export type { MarginKind } from "./analyse/compare/margin.ts"
export type { Decided, Objective } from "./analyse/decide/decide.ts"
export { type DecideOptions, decide } from "./analyse/decide/decide.ts"
export type { GateInput } from "./analyse/decide/gate.ts"
export { evaluateGate, gateExitCode } from "./analyse/decide/gate.ts"
export { type PowerPlan, type PowerPlanOptions, planPower } from "./analyse/decide/plan-power.ts"
export type { MeanCosts } from "./analyse/frontier/cascade.ts"
export { computeFrontier, type FrontierOptions } from "./analyse/frontier/frontier.ts"
export { type FrontierOfVariantsOptions, frontierOfVariants } from "./analyse/frontier/frontier-of-variants.ts"
export type { FigureBounds, FrontierVariant } from "./analyse/frontier/frontier-variant.ts"
export { cascadeCurve, type RouterOptions, routerCurve } from "./analyse/frontier/router.ts"
export { type RunRoutersOptions, runRouters } from "./analyse/frontier/run-routers.ts"
export { type UtilityShare, utilityShares } from "./analyse/frontier/utility.ts"
export type { BetSample, BetSamples } from "./analyse/interim/bet-samples.ts"
export type { PlannedLooks, RunDesign, Stages } from "./analyse/interim/reading.ts"
export type { RetryPart } from "./analyse/interim/retry-part.ts"
export type { SummaryThreads } from "./analyse/summary/summary-threads.ts"
export type { TrendRun } from "./analyse/trend/trend.ts"
export { computeTrend, type TrendOptions } from "./analyse/trend/trend.ts"
export * from "./config/config.ts"
export { type EpisodeOptions, episode } from "./config/episode.ts"
export { type LoadConfigOptions, type LoadedConfig, loadConfig } from "./config/load.ts"
export { applyOverrides, type Overrides } from "./config/overrides.ts"
export { defaultPrompt, type FewShotExample, type PromptOptions, prompt } from "./config/prompt.ts"
export type { PromptPart, PromptTurn } from "./config/prompt-parts.ts"
export { type SimulatedUserOptions, simulatedUser } from "./config/simulated-user.ts"
export type { ValidateOptions } from "./config/validate.ts"
export { validateConfig } from "./config/validate.ts"
export type { BatchRecord, BatchSettings } from "./core/batch/batch-record.ts"
export type { ToolSession, ToolSource, ToolSourceContext } from "./core/episode/tool-source.ts"
export * from "./core/errors.ts"
export * from "./core/json.ts"
export * from "./core/random.ts"
export type {
  AvailabilityTrend,
  ChangePoint,
  OperationTrend,
  Trend,
  TrendPoint,
  TrendState,
} from "./core/report/trend.ts"
export type { NamedMetric } from "./core/report/verdict-facts.ts"
export * from "./core/run/evaluation.ts"
export * from "./core/run/progress.ts"
export type { RetryRecord, RunEvent, RunRecord, RunStatus, VariantRecord, VariantState } from "./core/run/run-record.ts"
export type {
  AnswerText,
  CallKey,
  EncodedRows,
  FinishedCall,
  ModelCall,
  OpenAttempt,
  OpenStep,
  PackedAnswers,
  RunState,
  RunStore,
  StoredAnswers,
  StoredBatches,
  StoredLabels,
  StoredMedia,
  StoredRow,
  StoredRows,
  StoredRuns,
  StoredSamples,
  StoredSteps,
} from "./core/run/run-store.ts"
export type { ClientTotals, ServerTotals } from "./core/run/server-totals.ts"
export type { SliceJob, SliceQueue } from "./core/run/slice-queue.ts"
export type { Lease, StoredWork, WorkerRecord } from "./core/run/stored-work.ts"
export * from "./core/variant.ts"
export type { Calibrate, CalibratedLoad } from "./estimate/client-error.ts"
export { type Constraint, parseConstraints } from "./estimate/constraints.ts"
export type { SliceDistribution } from "./pipeline/distribute/coordinate.ts"
export { type EvaluateOptions, type EvaluateResult, evaluate as runEvaluation } from "./pipeline/evaluate.ts"
export type { RetryStart } from "./pipeline/retry-run.ts"
export type { OwnModule } from "./platform/own-module.ts"
export { calibrate } from "./providers/calibrate.ts"
export type { ColumnFacts } from "./rows/foreign-variant.ts"
export {
  type ForeignOptions,
  type ForeignRow,
  type ForeignVariant,
  foreignVariant,
} from "./rows/foreign-variant.ts"
export type { AbsentRows, Gap } from "./rows/missing-rows.ts"
export type { CallFilter, PlannedCall } from "./run/plan.ts"
export type { StartedPart } from "./run/planned/started-part.ts"
export type { RunFacts } from "./run/run-record.ts"
export type { ScoringThreads } from "./score/threads/scoring-threads.ts"
export type { BoundedValue } from "./stats/intervals/quotient-interval.ts"
export type { Units } from "./stats/resampling/units.ts"
export type { PowerPopulation } from "./stats/tests/bound-power.ts"
export type { StoreOptions } from "./store/run-store.ts"
export { openRunStore } from "./store/run-store.ts"
export { routerSentence } from "./wording/verdict/router-sentence.ts"
