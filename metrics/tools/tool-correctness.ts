import { UsageError } from "../../src/core/errors.ts"
import type { JsonValue } from "../../src/core/json.ts"
import type { ToolCall, ToolDefinition } from "../../src/core/message.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions, type OptionKinds } from "../../src/core/options.ts"
import { rowMetric } from "../row-metric.ts"
import { equalJson } from "../text/json-answer.ts"
import { signature } from "../text/signature.ts"
import { expectedCalls, madeCalls, type Pairing, pairCalls, type TurnOptions, turnOptions } from "./tool-calls.ts"

/** Options of {@link toolCorrectness}. @public */
export interface ToolCorrectnessOptions extends TurnOptions {
  readonly name?: string
  /**
   * - `exact` (default): the expected calls in their order, and no others
   * - `inOrder`: the expected calls in their order; others may come between
   * - `anyOrder`: the expected calls in any order; there may be others
   * - `subset`: no call that was not expected; some may be missing
   */
  readonly match?: "exact" | "inOrder" | "anyOrder" | "subset"
  /** What of the arguments must agree: `value` (default), `schema` (they fulfil the tool's JSON schema), `ignore`. */
  readonly arguments?: "value" | "schema" | "ignore"
  /** The tools' definitions, for `schema`. */
  readonly tools?: readonly ToolDefinition[]
}

const toolCorrectnessOptions: OptionKinds<ToolCorrectnessOptions> = {
  ...turnOptions,
  name: "text",
  match: { exact: "word", inOrder: "word", anyOrder: "word", subset: "word" },
  arguments: { schema: "word", value: "word", ignore: "word" },
  tools: "list",
}

/** One answer's calls against the expected. */
export type ToolRow = Pairing & { readonly correct: number; readonly expected: number; readonly made: number }

/**
 * Tool correctness: whether the model made the calls that the sample expects, by name and arguments.
 *
 * Misleads where several sequences of calls reach the goal: use `anyOrder`, or a check of the final state
 * ({@link taskCompletion}). Details give precision, recall and the calls that were missing or too many. Arguments that are
 * not JSON equal nothing. Range 0..1, higher is better; the summary is the mean. Unscored: `no_expected_tools`.
 *
 * Source: evalkit's own definition; `exact` is what function-calling leaderboards ask for.
 *
 * @throws UsageError for `schema` without `tools`, and for a schema that ajv cannot compile
 * @example
 * // expected [search({ q: "a" })], made [search({ q: "a" }), open({ id: 1 })]
 * toolCorrectness({ match: "inOrder" }) // 1; `exact` gives 0
 * @public
 */
export function toolCorrectness(options: ToolCorrectnessOptions = {}): Metric<ToolRow> {
  checkOptions("toolCorrectness", options, toolCorrectnessOptions)
  const { name = "toolCorrectness", match = "exact", arguments: compared = "value", tools } = options
  if (compared === "schema" && tools === undefined)
    throw new UsageError("arguments by schema need the tools", { where: "toolCorrectness({ arguments })" })
  const validators = lazyValidators(tools ?? [])
  return rowMetric<ToolRow>({
    name,
    signature: signature("toolCorrectness", { match, args: compared, turns: options.turns ?? "answer" }),
    range: [0, 1],
    unit: "share",
    async measure(sample, generation) {
      const expected = expectedCalls(sample)
      if ("status" in expected) return expected
      const made = madeCalls(sample, generation, options)
      const valid = compared === "schema" ? await validators() : null
      const same = (wanted: ToolCall, call: ToolCall) =>
        wanted.name === call.name &&
        (compared === "ignore" ||
          (valid ? (valid.get(call.name)?.(call.arguments) ?? false) : equalJson(wanted.arguments, call.arguments)))
      const pairing = pairCalls(expected, made, same)
      return {
        ...pairing,
        correct: Number(isCorrect(pairing, match)),
        expected: expected.length,
        made: made.length,
      }
    },
    value: (row) => row.correct,
    details(rows) {
      const total = (key: "matched" | "expected" | "made") => rows.reduce((sum, row) => sum + row[key], 0)
      return {
        precision: total("made") === 0 ? null : total("matched") / total("made"),
        recall: total("matched") / total("expected"),
        missing: countNames(rows.flatMap(({ missing }) => missing)),
        extra: countNames(rows.flatMap(({ extra }) => extra)),
      }
    },
  })
}

function isCorrect({ missing, extra, inOrder }: Pairing, match: NonNullable<ToolCorrectnessOptions["match"]>): boolean {
  if (match === "subset") return extra.length === 0
  if (match === "anyOrder") return missing.length === 0
  return match === "inOrder" ? inOrder : inOrder && extra.length === 0
}

/** The names that occur most; a model may invent any number of them. */
function countNames(names: readonly string[]): JsonValue {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, 20))
}

type Validate = (value: JsonValue) => boolean

/** Compiles at the first answer: ajv is loaded only where schemas are used. */
function lazyValidators(tools: readonly ToolDefinition[]): () => Promise<ReadonlyMap<string, Validate>> {
  let compiled: Promise<ReadonlyMap<string, Validate>> | undefined
  const compile = async () => {
    const { Ajv } = await import("ajv")
    const ajv = new Ajv({ strict: false })
    return new Map(
      tools.map(({ name, parameters }) => {
        try {
          return [name, ajv.compile(parameters) as Validate] as const
        } catch (cause) {
          throw new UsageError("the schema cannot be compiled", { where: `parameters of the tool ${name}`, cause })
        }
      }),
    )
  }
  return () => (compiled ??= compile())
}
