// `evalkit/judges`: judges, rubrics, and how far a judge can be trusted.

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
/** Rubrics that judges read answers by: `rubrics.correctness`, `rubrics.toxicity` … @experimental */
export * as rubrics from "../judges/rubrics/all.ts"
export * from "../judges/win-rates.ts"
export { bestOfJudge } from "./analyse/compare/best-of.ts"
export type { LabelDraw } from "./analyse/judge-validation/label-draw.ts"
export {
  type AmongPeople,
  agreementAmongPeople,
  type JudgeAgainst,
  type LabelledItem,
  type PeopleFigures,
  type PersonLabel,
} from "./analyse/judge-validation/people.ts"
export type { ConfusionCounts, Difference } from "./analyse/judge-validation/validation.ts"
export { type Validation, type ValidationItem, validateJudge } from "./analyse/judge-validation/validation.ts"
export type { Correlations, ValidationGroup, ValidationGroups } from "./analyse/judge-validation/validation-groups.ts"
export * from "./core/report/section-judge.ts"
export type { BootstrappedStatistic } from "./stats/resampling/items-bootstrap.ts"
