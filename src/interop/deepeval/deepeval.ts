import type { SkippedRow } from "../../core/dataset.ts"
import type { ForeignLog, ForeignRecord, ForeignScore } from "../../core/foreign/foreign-log.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { listOf, member, numberOf, textOf, textsOf } from "../fields.ts"
import { foreignAnswer } from "../foreign-answer.ts"
import { foreignSample } from "../foreign-sample.ts"
import { createOccasions, type Occasions } from "../occasions.ts"

/** Whether a document is a test run of DeepEval, or the results of its `evaluate()`. */
export function isDeepeval(document: JsonObject): boolean {
  return casesOf(document).some(
    (one) =>
      Array.isArray(named(one, "metricsData", "metrics_data")) &&
      named(one, "actualOutput", "actual_output") !== undefined,
  )
}

/** Test cases of DeepEval with the scores of its metrics. */
export function deepevalLog(document: JsonObject, given: string): ForeignLog {
  const model = textOf(member(document, "hyperparameters", "model")) ?? textOf(document.identifier) ?? "model"
  return {
    tool: "deepeval",
    file: given,
    dataset: textOf(document.testFile) ?? "deepeval",
    startedAt: null,
    metrics: new Map(),
    notes: ["the file states no direction of its metrics: more is taken for better"],
    async *records() {
      const occasions = createOccasions()
      for (const [i, one] of casesOf(document).entries())
        yield recordOf(one, model, `${given}#testCases[${i}]`, occasions)
    },
  }
}

function casesOf(document: JsonObject): readonly JsonValue[] {
  return listOf(document.testCases ?? document.test_results ?? document.testResults)
}

function named(value: JsonValue | undefined, camel: string, snake: string): JsonValue | undefined {
  return member(value, camel) ?? member(value, snake)
}

function recordOf(one: JsonValue, variant: string, where: string, occasions: Occasions): ForeignRecord | SkippedRow {
  const input = textOf(member(one, "input"))
  if (input === undefined) return { where, field: "input", reason: "the test case has no input" }
  const expected = textsOf(named(one, "expectedOutput", "expected_output"))
  const retrieved = textsOf(named(one, "retrievalContext", "retrieval_context"))
  const id = contentHash([input, [...expected]], 16)
  const cost = numberOf(named(one, "tokenCost", "token_cost"))
  const seconds = numberOf(named(one, "completionTime", "completion_time"))
  return {
    ...{ variant, where, repeat: occasions.next(id) },
    sample: foreignSample({
      ...{ id, input, references: expected, metadata: {} },
      context: retrieved.length > 0 ? retrieved : textsOf(member(one, "context")),
    }),
    answer: foreignAnswer(
      {
        text: textOf(named(one, "actualOutput", "actual_output")) ?? "",
        ...(seconds !== undefined && seconds > 0 && { e2eMs: seconds * 1000 }),
        ...(cost !== undefined && { costUsd: cost }),
      },
      "DeepEval",
    ),
    scores: scoresOf(listOf(named(one, "metricsData", "metrics_data"))),
  }
}

function scoresOf(metrics: readonly JsonValue[]): Record<string, ForeignScore> {
  const scores = metrics.flatMap((metric): [string, ForeignScore][] => {
    const name = textOf(member(metric, "name"))
    const score = numberOf(member(metric, "score"))
    const reason = textOf(member(metric, "error")) ?? "DeepEval has no score for it"
    return name === undefined ? [] : [[name, score ?? { reason: reason.slice(0, 200) }]]
  })
  return Object.fromEntries(scores)
}
