import { UsageError } from "../../src/core/errors.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { isObject } from "../../src/core/json-members.ts"
import type { ToolCall, ToolDefinition } from "../../src/core/message.ts"
import type { Metric } from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import { compileSchema } from "../../src/text/json-schema.ts"
import { equalJson } from "../../src/text/reading/json-answer.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"
import { expectedCalls, madeCalls, type Pairing, pairCalls, type TurnOptions } from "./tool-calls.ts"

/** Options of {@link toolCorrectness}. @public */
export interface ToolCorrectnessOptions extends TurnOptions {
  readonly name?: string
  /**
   * - `exact` (default): the expected calls in their order, and no others
   * - `inOrder`: the expected calls in their order; others may come between
   * - `anyOrder`: the expected calls in any order; there may be others
   * - `unordered`: the expected calls in any order, and no others
   * - `subset`: no call that was not expected; some may be missing, but not all
   */
  readonly match?: "exact" | "inOrder" | "anyOrder" | "unordered" | "subset"
  /** What of the arguments must agree: `value` (default), `schema` (they fulfil the tool's JSON schema), `ignore`. */
  readonly arguments?: "value" | "schema" | "ignore"
  /** The tools' definitions, for `schema`; for `value`, expected arguments are then read by the types of their schemas. */
  readonly tools?: readonly ToolDefinition[]
}

/** One answer's calls against the expected. @public */
export type ToolRow = Pairing & { readonly correct: number; readonly expected: number; readonly made: number }

/**
 * Tool correctness: whether the model made the calls that the sample expects, by name and arguments.
 *
 * Misleads where several sequences of calls reach the goal: use `anyOrder`, or a check of the final state
 * ({@link taskCompletion}). Details give precision, recall and the calls that were missing or too many. Arguments that are
 * not JSON equal nothing. A sample with `expectedTools: []` expects no call. Range 0..1, higher is better; the summary is the mean. Unscored: `no_expected_tools`.
 *
 * Source: evalkit's own definition; `exact` is what function-calling leaderboards ask for.
 *
 * @throws UsageError for `schema` without `tools`, and for a schema that cannot be compiled
 * @example
 * // expected [search({ q: "a" })], made [search({ q: "a" }), open({ id: 1 })]
 * toolCorrectness({ match: "inOrder" }) // 1; `exact` gives 0
 * @public
 */
export function toolCorrectness(options: ToolCorrectnessOptions = {}): Metric<ToolRow> {
  checkOptions("toolCorrectness", options)
  const { name = "toolCorrectness", match = "exact", arguments: compared = "value", tools } = options
  if (compared === "schema" && tools === undefined)
    throw new UsageError("arguments by schema need the tools", { where: "toolCorrectness({ arguments })" })
  let compiled: Promise<Schemas> | undefined
  const schemas = (list: readonly ToolDefinition[]) => (compiled ??= compileSchemas(list, compared === "value"))
  return rowMetric<ToolRow>({
    name,
    signature: signature("toolCorrectness", {
      match,
      ...(match === "subset" && { empty: "no" }),
      args: compared,
      turns: options.turns ?? "answer",
    }),
    range: [0, 1],
    unit: "share",
    ...(tools && compared !== "ignore" && { prepare: async () => void (await schemas(tools)) }),
    async measure(sample, generation) {
      const expected = expectedCalls(sample)
      if ("status" in expected) return expected
      const made = madeCalls(sample, generation, options)
      const schema = tools && compared !== "ignore" ? await schemas(tools) : null
      const same = (target: ToolCall, call: ToolCall) =>
        target.name === call.name &&
        (compared === "ignore" ||
          (compared === "schema"
            ? (schema?.get(call.name)?.(call.arguments) ?? false)
            : equalJson(target.arguments, call.arguments)))
      const targets = schema && compared === "value" ? expected.map((call) => typed(call, schema)) : expected
      const pairing = pairCalls(targets, made, same)
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
        recall: total("expected") === 0 ? null : total("matched") / total("expected"),
        missing: countNames(rows.flatMap(({ missing }) => missing)),
        extra: countNames(rows.flatMap(({ extra }) => extra)),
      }
    },
  })
}

function isCorrect(
  { matched, missing, extra, inOrder }: Pairing,
  match: NonNullable<ToolCorrectnessOptions["match"]>,
): boolean {
  // That no call is expected is what the sample asks for, however calls are matched.
  if (matched + missing.length === 0) return extra.length === 0
  if (match === "subset") return matched > 0 && extra.length === 0
  if (match === "unordered") return missing.length + extra.length === 0
  if (match === "anyOrder") return missing.length === 0
  return match === "inOrder" ? inOrder : inOrder && extra.length === 0
}

/** The names that occur most; a model may invent any number of them. */
function countNames(names: readonly string[]): JsonValue {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, 20))
}

type Schemas = ReadonlyMap<string, Awaited<ReturnType<typeof compileSchema>>>

async function compileSchemas(tools: readonly ToolDefinition[], coerceTypes: boolean): Promise<Schemas> {
  const compile = ({ name, parameters }: ToolDefinition) =>
    compileSchema(parameters, { where: `parameters of the tool ${name}`, formats: "checked", coerceTypes })
  return new Map(await Promise.all(tools.map(async (tool) => [tool.name, await compile(tool)] as const)))
}

/** A call whose arguments have the types of the tool's schema where they can be read so: "5" is 5 where it asks for a number. */
function typed(call: ToolCall, schemas: Schemas): ToolCall {
  const copy = structuredClone(call)
  schemas.get(call.name)?.(copy.arguments)
  return { ...copy, arguments: keepingNulls(call.arguments, copy.arguments) }
}

/** What was read by types, but for `null`, which is no text, number or truth value of any kind. */
function keepingNulls(stated: JsonValue, read: JsonValue): JsonValue {
  if (stated === null) return null
  if (Array.isArray(stated) && Array.isArray(read))
    return read.map((value, i) => keepingNulls(stated[i] ?? null, value))
  if (!isObject(stated) || !isObject(read)) return read
  return Object.fromEntries(
    Object.entries(read).map(([name, value]) => [name, keepingNulls(stated[name] ?? null, value)]),
  )
}
