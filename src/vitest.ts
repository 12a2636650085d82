// `evalkit/vitest`: answers and small evaluations as tests. Importing it adds `toScore` to vitest's `expect`.

export { type EvaluateInTestOptions, evaluate } from "./vitest/evaluate-block.ts"
export { type Answered, type ScoreLimits, toScore } from "./vitest/to-score.ts"
