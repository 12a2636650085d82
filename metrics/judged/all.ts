// Re-exports only: figures that a model judges, as the group `judged`.

export { judgedAnswerRelevancy as answerRelevancy } from "./answer-relevancy.ts"
export { judgedContextPrecision as contextPrecision } from "./context-precision.ts"
export { judgedContextRecall as contextRecall } from "./context-recall.ts"
export { judgedContextRelevancy as contextRelevancy } from "./context-relevancy.ts"
export { judgedFaithfulness as faithfulness } from "./faithfulness.ts"
export { judgedNoiseSensitivity as noiseSensitivity } from "./noise-sensitivity.ts"
