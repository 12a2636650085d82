// `evalkit/engine`: runs from code: configs, the pipeline, the store, comparisons, frontiers, decisions.

export * from "./config/config.ts"
export { type EpisodeOptions, episode } from "./config/episode.ts"
export { type LoadConfigOptions, type LoadedConfig, loadConfig } from "./config/load.ts"
export { applyOverrides, type Overrides } from "./config/overrides.ts"
export { defaultPrompt, type FewShotExample, type PromptOptions, prompt } from "./config/prompt.ts"
export type { PromptPart, PromptTurn } from "./config/prompt-parts.ts"
export { type SimulatedUserOptions, simulatedUser } from "./config/simulated-user.ts"
export { validateConfig } from "./config/validate.ts"
export * from "./core/errors.ts"
export * from "./core/json.ts"
export * from "./core/random.ts"
export * from "./core/run/evaluation.ts"
export * from "./core/run/progress.ts"
export * from "./core/variant.ts"
export { adjustComparisons } from "./engine/compare/adjust-comparisons.ts"
export { type CompareOptions, compareVariants } from "./engine/compare/compare.ts"
export {
  type ForeignOptions,
  type ForeignRow,
  type ForeignVariant,
  foreignVariant,
} from "./engine/compare/source/compare-files.ts"
export { type Constraint, parseConstraints } from "./engine/decide/constraints.ts"
export { type DecideOptions, decide } from "./engine/decide/decide.ts"
export { evaluateGate, gateExitCode } from "./engine/decide/gate.ts"
export { type PowerPlan, type PowerPlanOptions, planPower } from "./engine/decide/plan-power.ts"
export { computeTrend, type Trend, type TrendOptions } from "./engine/decide/trend.ts"
export type { OperationTrend } from "./engine/decide/trend-parts/operations.ts"
export { computeFrontier, type FrontierOptions } from "./engine/frontier/frontier.ts"
export { type FrontierOfVariantsOptions, frontierOfVariants } from "./engine/frontier/frontier-of-variants.ts"
export type { FrontierVariant } from "./engine/frontier/frontier-variant.ts"
export { cascadeCurve, type RouterOptions, routerCurve } from "./engine/frontier/router.ts"
export { routerSentence } from "./engine/frontier/router-sentence.ts"
export { type RunRoutersOptions, runRouters } from "./engine/frontier/run-routers.ts"
export { type UtilityShare, utilityShares } from "./engine/frontier/utility.ts"
export { type EvaluateOptions, type EvaluateResult, evaluate } from "./engine/run/evaluate.ts"
export { openRunStore } from "./store/run-store.ts"
