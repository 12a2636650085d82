import type { ForeignLog, ForeignScore } from "../../core/foreign/foreign-log.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import type { ToolCall } from "../../core/message.ts"
import { figureOf, listOf, member, numberOf, objectOf, textOf, textsOf } from "../fields.ts"
import type { JsonDocument } from "../row-file.ts"
import { type RowFacts, rowRecord, rowsLog } from "../row-format.ts"

/** Whether a document is a test run of DeepEval, also as it is kept by default (`testRunData`), or the results of its `evaluate()`. */
export function isDeepeval(document: JsonObject): boolean {
  return casesOf(document).some(
    (test) =>
      ["metricsData", "metrics_data"].some((name) => member(test, name) !== undefined) &&
      (named(test, "actualOutput", "actual_output") !== undefined ||
        named(test, "toolsCalled", "tools_called") !== undefined ||
        member(test, "turns") !== undefined),
  )
}

/** Test cases of DeepEval with the scores of its metrics; a conversation is one of them. */
export function deepevalLog(document: JsonDocument, outline: JsonObject): ForeignLog {
  const run = runOf(outline)
  const variant = textOf(member(run, "hyperparameters", "model")) ?? textOf(run.identifier) ?? "model"
  return rowsLog(
    document.rows(
      ...(["testCases", "test_results", "testResults", "conversationalTestCases"] as const),
      ...(["testRunData/testCases", "testRunData/conversationalTestCases"] as const),
    ),
    {
      tool: "deepeval",
      dataset: textOf(run.testFile) ?? "deepeval",
      notes: ["the file states no direction of its metrics: more is taken for better"],
    },
    (test, where, occasions) => rowRecord({ variant, ...factsOf(test) }, "DeepEval", where, occasions),
  )
}

function runOf(document: JsonObject): JsonObject {
  return objectOf(document.testRunData) ?? document
}

function casesOf(document: JsonObject): readonly JsonValue[] {
  const run = runOf(document)
  const cases = listOf(run.testCases ?? run.test_results ?? run.testResults)
  return [...cases, ...listOf(run.conversationalTestCases)]
}

function named(value: JsonValue | undefined, camel: string, snake: string): JsonValue | undefined {
  return member(value, camel) ?? member(value, snake)
}

function factsOf(test: JsonObject): RowFacts {
  const retrieved = textsOf(named(test, "retrievalContext", "retrieval_context"))
  const costUsd = numberOf(named(test, "tokenCost", "token_cost"))
  const seconds = numberOf(named(test, "completionTime", "completion_time"))
  const turns = listOf(test.turns)
  const said = (role: string) => turns.filter((turn) => member(turn, "role") === role)
  return {
    input: textOf(test.input) ?? textOf(test.scenario) ?? textOf(member(said("user")[0], "content")),
    references: textsOf(
      named(test, "expectedOutput", "expected_output") ?? named(test, "expectedOutcome", "expected_outcome"),
    ),
    context: retrieved.length > 0 ? retrieved : textsOf(test.context),
    text:
      textOf(named(test, "actualOutput", "actual_output")) ?? textOf(member(said("assistant").at(-1), "content")) ?? "",
    toolCalls: toolCallsOf(named(test, "toolsCalled", "tools_called")),
    ...(seconds !== undefined && seconds > 0 && { e2eMs: seconds * 1000 }),
    ...(costUsd !== undefined && { costUsd }),
    scores: scoresOf(listOf(named(test, "metricsData", "metrics_data"))),
  }
}

function toolCallsOf(value: JsonValue | undefined): readonly ToolCall[] {
  return listOf(value).flatMap((call) => {
    const name = textOf(member(call, "name")) ?? textOf(call)
    return name === undefined ? [] : [{ name, arguments: named(call, "inputParameters", "input_parameters") ?? {} }]
  })
}

function scoresOf(metrics: readonly JsonValue[]): Record<string, ForeignScore> {
  const scores = metrics.flatMap((metric): [string, ForeignScore][] => {
    const name = textOf(member(metric, "name"))
    const score = figureOf(member(metric, "score"))
    const reason = textOf(member(metric, "error")) ?? "DeepEval has no score for it"
    return name === undefined ? [] : [[name, score ?? { reason: reason.slice(0, 200) }]]
  })
  return Object.fromEntries(scores)
}
