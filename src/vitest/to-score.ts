import { afterAll, expect } from "vitest"
import { UsageError } from "../core/errors.ts"
import type { JsonObject, JsonValue } from "../core/json.ts"
import type { ToolCall } from "../core/message.ts"
import type { AnyMetric } from "../core/metric/metric.ts"
import { checkOptions, describe } from "../core/options.ts"
import { closeScoring, scoreOne } from "./score-one.ts"

/** What an answer must score, and what is known about its sample. At least one limit is needed. @public */
export interface ScoreLimits {
  /** In the metric's own unit: a share is from 0 to 1. */
  readonly atLeast?: number
  readonly atMost?: number
  /** What was asked. */
  readonly input?: string
  /** A good answer, or several. */
  readonly reference?: string | readonly string[]
  /** Passages that the answer is to be grounded in. */
  readonly context?: readonly string[]
  /** Other fields of the sample, by the names that a data set's columns have: `choices`, `expectedTools`, columns of your own. */
  readonly sample?: JsonObject
}

/** An answer as a test has it: its text, or an object with its text and perhaps calls of tools. @public */
export type Answered = string | { readonly text: string; readonly toolCalls?: readonly ToolCall[] }

/** What a matcher of vitest says. */
interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/**
 * The matcher `toScore`: whether an answer scores what it must by a metric. Where the metric has no score the test fails with the
 * reason, with `not` as well: what could not be measured is neither good nor bad.
 *
 * @throws UsageError for something that is no answer or no metric, and without a limit
 * @example await expect(answer).toScore(rouge(), { atLeast: 0.5, reference: "The cat sat on the mat." })
 * @public
 */
export async function toScore(received: unknown, metric: AnyMetric, limits: ScoreLimits): Promise<MatcherResult> {
  checkOptions("toScore", limits)
  if (typeof Object(metric).measure !== "function")
    throw new UsageError("toScore needs a metric", {
      where: `got ${describe(metric)}`,
      hint: "write its call: toScore(exactMatch(), { atLeast: 1, reference: … })",
    })
  const { atLeast, atMost, input, reference, context, sample } = limits ?? {}
  if (atLeast === undefined && atMost === undefined)
    throw new UsageError("toScore needs a limit", { hint: `write toScore(${metric.name}, { atLeast: … }), or atMost` })
  const answer = answerOf(received)
  const row: Record<string, JsonValue> = {
    ...sample,
    ...(input !== undefined && { input }),
    ...(reference !== undefined && { reference: reference as JsonValue }),
    ...(context !== undefined && { context }),
  }
  const score = await scoreOne(metric, { ...answer, row })
  const expected = [
    atLeast === undefined ? null : `at least ${atLeast}`,
    atMost === undefined ? null : `at most ${atMost}`,
  ]
    .filter((text) => text !== null)
    .join(" and ")
  const [low, high] = metric.range
  const shown = [
    `answer: ${short(answer.text)}`,
    ...(reference === undefined
      ? []
      : [`reference: ${short(typeof reference === "string" ? reference : reference.join(" | "))}`]),
  ].join("\n")
  if (score.status === "unscored") throw new Error(`${metric.name} has no score: ${score.reason}\n${shown}`)
  const pass =
    score.value >= (atLeast ?? Number.NEGATIVE_INFINITY) && score.value <= (atMost ?? Number.POSITIVE_INFINITY)
  return {
    pass,
    message: () =>
      `${metric.name} is ${figure(score.value)}, expected ${pass ? "not " : ""}${expected} ` +
      `(${low} to ${high}, ${metric.direction} is better)\n${shown}`,
  }
}

function answerOf(received: unknown): { readonly text: string; readonly toolCalls?: readonly ToolCall[] } {
  if (typeof received === "string") return { text: received }
  const { text, toolCalls } = Object(received) as Partial<Exclude<Answered, string>>
  if (typeof text === "string") return { text, ...(Array.isArray(toolCalls) && { toolCalls }) }
  throw new UsageError("toScore needs an answer", {
    where: `got ${describe(received)}`,
    hint: "expect(text), or expect({ text, toolCalls })",
  })
}

/** As many digits as tell it from its limit. */
function figure(value: number): string {
  return String(Number(value.toPrecision(6)))
}

function short(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}…` : text)
}

expect.extend({ toScore })
afterAll(closeScoring)

declare module "vitest" {
  interface Matchers<T> {
    /**
     * Whether the answer scores what it must by a metric of evalkit. Await it.
     *
     * @example await expect(answer).toScore(exactMatch(), { atLeast: 1, reference: "Paris" })
     */
    toScore(metric: AnyMetric, limits: ScoreLimits): Promise<void>
  }
}
