import { rowMetric } from "../../../metrics/row-metric.ts"
import { signature } from "../../../metrics/text/signature.ts"
import { nearest } from "../../core/did-you-mean.ts"
import { UsageError } from "../../core/errors.ts"
import type { Generation } from "../../core/generation.ts"
import { contentHash, type JsonObject, type JsonValue } from "../../core/json.ts"
import { isObject } from "../../core/json-members.ts"
import { type AnyMetric, type Metric, type Unscored, unscored } from "../../core/metric/metric.ts"
import type { MetricTools } from "../../core/metric/metric-tools.ts"
import { checkOptions } from "../../core/options.ts"
import type { Provider } from "../../core/provider.ts"
import { isPanelRow, type PanelRow } from "../../core/report/section-judge.ts"
import type { Sample } from "../../core/sample.ts"
import type { Assertion, AssertionCase, AssertionFunction, AssertionType } from "./assertion.ts"
import { modelTypes } from "./model-types.ts"
import { textTypes } from "./text-types.ts"

/** Assertions of promptfoo that evalkit checks, by their type. */
export const assertionTypes: ReadonlyMap<string, AssertionType> = new Map(
  Object.entries({ ...textTypes, ...modelTypes }),
)

/** Options of {@link assertions}. @public */
export interface AssertionsOptions {
  /** The metrics, and which types the assertions have that count for each: `{ polite: ["llm-rubric"] }`. */
  readonly metrics: Readonly<Record<string, readonly string[]>>
  /** The model that judges, for the types that ask one. */
  readonly grader?: Provider
  /** What assertions of the type `javascript` and transforms call, by name. */
  readonly functions?: Readonly<Record<string, AssertionFunction>>
}

/**
 * Assertions: what each test states of its own answer, as promptfoo's tests do, in the list `assert` of its row: `{ metric, type, not, value,
 * threshold, weight, code, config, transforms }`. A metric is the weighted share of a test's assertions of its name that hold; the first, `pass`, is 1
 * where the weighted share of all that a test asserts reaches its row's `threshold` (1 unless stated), else 0. `evalkit init --from
 * promptfooconfig.yaml` writes such rows.
 *
 * Misleads as any threshold does: a swap that moves every answer just over it looks perfect. Put the metric behind a type (`rouge`,
 * `embeddingSimilarity`) beside it. Range 0..1, higher is better. Cost: that of the types; a judged one takes a call of the grader. Unscored:
 * `no_value` where a test asserts nothing of a metric, and what the metric behind a type says. Source: promptfoo's assertions; where it and
 * evalkit compute a figure in different ways (BLEU, ROUGE, similarity), it is evalkit's.
 *
 * @throws UsageError for a type that is not known, for one that asks a model where no grader is stated, and for a metric called `pass`
 * @example
 * // row { assert: [{ metric: "place", type: "contains", value: "Paris" }] }, output "It is Paris."
 * assertions({ metrics: { place: ["contains"] } }) // pass 1, place 1
 * @public
 */
export function assertions(options: AssertionsOptions): readonly AnyMetric[] {
  checkOptions("assertions", options)
  const names = Object.keys(options.metrics)
  const all = names.map((name) => assertionMetric(name, options))
  return [passMetric(names), ...all]
}

function assertionMetric(
  name: string,
  { metrics, grader, functions = {} }: AssertionsOptions,
): Metric<number | PanelRow> {
  const where = `assertions({ metrics: { ${JSON.stringify(name)} } })`
  if (name === "pass") throw new UsageError("`pass` is the metric of all assertions together", { where })
  const types = (metrics[name] ?? []).map((type) => typeOf(type, where))
  const isJudged = types.some(({ calls }) => calls)
  if (isJudged && !grader)
    throw new UsageError("assertions that a model judges need one", { where, hint: "add grader: openai({ model })" })
  const sources = Object.entries(functions).map(([key, own]) => [key, String(own)])
  return rowMetric<number | PanelRow>({
    name,
    signature: signature("assertions", {
      name: JSON.stringify(name).replaceAll("|", ","),
      ...(isJudged && grader && { judge: grader.label.replaceAll("|", ",") }),
      ...(sources.length > 0 && { functions: contentHash(sources, 12) }),
    }),
    range: [0, 1],
    unit: "share",
    ...(types.some(({ logprobs }) => logprobs) && { needs: { logprobs: true } }),
    ...(isJudged &&
      grader && { asks: [grader], asksAbout: (sample: Sample) => callsOf(sample, name).map(() => grader) }),
    value: (row) => (typeof row === "number" ? row : row.score),
    async measure(sample, generation, tools) {
      const rows: unknown[] = []
      const own = assertionsOf(sample).filter(({ metric }) => metric === name)
      if (own.length === 0) return unscored("no_value", "the test asserts nothing of it")
      const held: { readonly value: number; readonly weight: number }[] = []
      for (const assertion of own) {
        const result = await check(assertion, sample, generation, tools, { grader, functions, rows })
        if (typeof result !== "boolean") return result
        held.push({ value: Number(result !== Boolean(assertion.not)), weight: assertion.weight ?? 1 })
      }
      const score = weightedShare(held)
      // What a judge said is kept where it is all that the metric has of the answer.
      const [row] = rows
      return held.length === 1 && isPanelRow(row) ? { ...row, score } : score
    },
  })
}

function passMetric(names: readonly string[]): Metric<number> {
  return rowMetric<number>({
    name: "pass",
    signature: signature("assertions", { name: "all" }),
    range: [0, 1],
    unit: "share",
    dependsOn: names,
    value: (row) => row,
    measure(sample, _generation, tools) {
      const own = assertionsOf(sample)
      const parts = [...new Set(own.map(({ metric }) => metric))].map((name) => {
        const same = own.filter(({ metric }) => metric === name)
        return { name, value: tools.valueOf(name), weight: same.reduce((total, { weight = 1 }) => total + weight, 0) }
      })
      const { threshold } = sample.metadata
      const [worst, best] = [0, 1].map(
        (unknown) =>
          weightedShare(parts.map(({ value, weight }) => ({ value: value ?? unknown, weight }))) >=
          (typeof threshold === "number" ? threshold : 1),
      )
      // A value that is not there is missed where it could turn the answer.
      if (worst === best) return Number(worst)
      const open = parts.filter(({ value }) => value === null || value === undefined)
      return unscored("no_value", `no score of ${open.map(({ name }) => name).join(", ")}`)
    },
  })
}

/** Assertions of no weight are for information. */
function weightedShare(values: readonly { readonly value: number; readonly weight: number }[]): number {
  const weights = values.reduce((total, { weight }) => total + weight, 0)
  return weights === 0 ? 1 : values.reduce((total, { value, weight }) => total + value * weight, 0) / weights
}

async function check(
  assertion: Assertion,
  sample: Sample,
  generation: Generation,
  tools: MetricTools,
  { grader, functions = {}, rows }: Pick<AssertionsOptions, "grader" | "functions"> & Pick<AssertionCase, "rows">,
): Promise<boolean | Unscored> {
  const type = assertionTypes.get(assertion.type)
  if (!type) return unscored("no_value", `there is no assertion ${assertion.type}`)
  const { vars = {} } = sample.metadata
  const context = { vars: vars as JsonObject, test: sample.metadata, config: assertion.config ?? null }
  const call = (name: string | undefined, output: unknown) => {
    const run = name !== undefined && Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!run) throw new UsageError(`there is no function ${name}`, { where: "assertions({ functions })" })
    return run(output, context)
  }
  let output: unknown = generation.text
  for (const name of assertion.transforms ?? []) output = await call(name, output)
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "")
  const facts = { assertion, sample, generation: { ...generation, text }, tools, output, call, grader, rows }
  return type.holds(facts)
}

/** One entry for each call that a test's assertions of one name take. */
function callsOf(sample: Sample, name: string): readonly number[] {
  return assertionsOf(sample).flatMap((assertion) => {
    const calls = assertion.metric === name ? (assertionTypes.get(assertion.type)?.calls?.(assertion) ?? 0) : 0
    return Array.from({ length: calls }, (_, i) => i)
  })
}

function assertionsOf({ metadata: { assert = [] } }: Sample): readonly Assertion[] {
  return ([assert].flat() as readonly JsonValue[]).flatMap((item) =>
    isObject(item) && typeof item.metric === "string" && typeof item.type === "string"
      ? [item as unknown as Assertion]
      : [],
  )
}

function typeOf(type: string, where: string): AssertionType {
  const existing = assertionTypes.get(type)
  if (existing) return existing
  const meant = nearest(type, [...assertionTypes.keys()])
  throw new UsageError(`there is no assertion ${JSON.stringify(type).slice(0, 60)}`, {
    where,
    ...(meant !== undefined && { hint: `did you mean "${meant}"?` }),
  })
}
