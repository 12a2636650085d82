import { countQuestions, type QuestionClusters } from "../run/repeated-questions.ts"
import { counted } from "../words/number.ts"

/** That samples ask the same question, how they are counted, and what to do. */
export function repeatedQuestions(samples: number, clusters: QuestionClusters): string {
  const [[id, cluster]] = [...clusters].filter(([sample, name]) => !name.endsWith(` ${sample}`)) as [[string, string]]
  return `${counted(samples, "sample")} ${samples === 1 ? "asks" : "ask"} ${counted(countQuestions(samples, clusters), "question")} (first: ${id}, ${cluster}); samples with the same question count as one cluster, so that intervals are as wide as the questions make them; take them out of the data, or ask one more often with repeats`
}
