import type { Generation } from "../../core/generation.ts"
import type { JsonObject, JsonValue } from "../../core/json.ts"
import { type Metric, type Unscored, unscored } from "../../core/metric/metric.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import type { Provider } from "../../core/provider.ts"
import type { Sample } from "../../core/sample.ts"

/** What a test asserts of its answer, as promptfoo has it: a member of the list in its row's field `assert`. */
export interface Assertion {
  /** The metric that it counts for. */
  readonly metric: string
  /** `contains`, `is-json`, `llm-rubric` … */
  readonly type: string
  /** It holds where the type does not. */
  readonly not?: boolean
  readonly value?: JsonValue
  readonly threshold?: number
  /** Default 1; 0 is for information. */
  readonly weight?: number
  /** Name of a function of the options, for `javascript`. */
  readonly code?: string
  /** What that function finds in its context's `config`. */
  readonly config?: JsonValue
  /** Names of functions that the answer goes through first, in turn. */
  readonly transforms?: readonly string[]
}

/**
 * A function of an answer (of `javascript`, or a transform), with the test's variables: the same that promptfoo calls.
 * @public
 */
export type AssertionFunction = (
  output: unknown,
  context: { readonly vars: JsonObject; readonly test: JsonObject; readonly config: JsonValue },
) => unknown

/** What an assertion is checked with. */
export interface AssertionCase {
  readonly assertion: Assertion
  readonly sample: Sample
  /** Its text is what the transforms made of it. */
  readonly generation: Generation
  readonly tools: MetricTools
  /** The same before it was made a text. */
  readonly output: unknown
  readonly call: (name: string | undefined, output: unknown) => unknown
  readonly grader: Provider | undefined
  /** The rows of metrics that were asked are added to it. */
  readonly rows: unknown[]
}

/** Whether an assertion holds, or why that is not known. */
export type Found = boolean | Unscored

/** How assertions of one type are checked. */
export interface AssertionType {
  readonly needs: "value" | "threshold" | "nothing"
  /** Calls of the grader that one of them takes. Default 0. */
  readonly calls?: (assertion: Assertion) => number
  /** Whether the endpoint is asked for log-probabilities. */
  readonly logprobs?: true
  holds(assertionCase: AssertionCase): Found | Promise<Found>
}

/** The value, or each of a list of them, as text. */
export function textsOf({ value }: Assertion): readonly string[] {
  return [value ?? ""].flat().map((item) => (typeof item === "string" ? item : JSON.stringify(item)))
}

/** Asks a metric, with the assertion's value as the references, whether its figure is good enough. */
export function asks<Row>(
  make: (assertion: Assertion) => Metric<Row>,
  isEnough: (value: number, assertion: Assertion, row: Row) => boolean,
): AssertionType["holds"] {
  return (assertionCase) =>
    measured(
      make(assertionCase.assertion),
      { ...assertionCase, references: textsOf(assertionCase.assertion) },
      isEnough,
    )
}

/** The same of a metric that is made, and a sample whose references are stated. */
export async function measured<Row>(
  metric: Metric<Row>,
  context: AssertionCase & { readonly references: readonly string[] },
  isEnough: (value: number, assertion: Assertion, row: Row) => boolean,
): Promise<Found> {
  const { references, sample, generation, tools, assertion } = context
  const result = await metric.measure({ ...sample, references }, generation, tools)
  if (result.status === "unscored") return result
  context.rows.push(result.row)
  const value = metric.value(result.row)
  return value === null
    ? unscored("no_value", `${metric.name} has no figure for it`)
    : isEnough(value, assertion, result.row)
}
