import type { JsonObject } from "../../src/core/json.ts"
import type { Metric, Unscored } from "../../src/core/metric/metric.ts"
import type { GenerationParameters, Provider } from "../../src/core/provider.ts"
import { rowMetric } from "../row-metric.ts"
import { signature } from "../text/signature.ts"
import { defaultMaxCharacters } from "./ask-json.ts"

/** What all metrics take whose figure rests on the replies of a model. @public */
export interface JudgedMetricOptions {
  /** The model that judges. Better than those it judges, and another one: a model overlooks its own kind of errors. */
  readonly provider: Provider
  readonly name?: string
  /** Temperature is 0 unless stated here. */
  readonly parameters?: Omit<GenerationParameters, "jsonSchema" | "tools">
  /** Characters of each text that the model is shown. Default 20,000. */
  readonly maxCharacters?: number
}

/** One thing that the model looked at, and what it said of it: for people who read an answer's scores. @public */
export type JudgedPart = {
  /** `supported by passage 2`, `not supported`, `useful`, a similarity … */
  readonly said: string
  /** The claim, passage or question. */
  readonly of: string
}

/** One judged answer: its value, and what it is made from. @public */
export type JudgedRow = {
  readonly value: number
  readonly checks: readonly JudgedPart[]
}

/** Checks of one answer that are kept, and characters of each. */
const maxChecks = 100
const maxCheckLength = 300

/** A value with bounded checks. */
export function judgedRow(value: number, checks: readonly JudgedPart[]): JudgedRow {
  return {
    value,
    checks: checks.slice(0, maxChecks).map(({ said, of }) => ({ said, of: of.slice(0, maxCheckLength) })),
  }
}

/** What one judged metric states. */
export interface JudgedMetricFacts<Row extends JudgedRow> {
  readonly figure: string
  readonly options: JudgedMetricOptions
  readonly direction?: "lower"
  readonly range?: readonly [number, number]
  /** What else its values depend on. */
  readonly facts: Readonly<Record<string, string | number | boolean>>
  /** Version of the words that are sent, where it is not the first. */
  readonly prompt?: number
  /** Names and schemas of the replies, one a call. */
  readonly replies: readonly { readonly name: string; readonly schema: JsonObject }[]
  readonly more?: Pick<Metric, "close" | "meters" | "uses">
  /** @param parameters those of each call, in the order of `replies` */
  measure(
    parameters: readonly GenerationParameters[],
    ...args: Parameters<Metric<Row>["measure"]>
  ): Row | Unscored | Promise<Row | Unscored>
}

/** A metric whose value of an answer comes from the replies of a model, and whose summary is the mean. */
export function judgedMetric<Row extends JudgedRow>(stated: JudgedMetricFacts<Row>): Metric<Row> {
  const { figure, options, facts, replies, more, range = [0, 1] } = stated
  const { provider, maxCharacters = defaultMaxCharacters } = options
  const parameters = replies.map((jsonSchema) => ({ temperature: 0, ...options.parameters, jsonSchema }))
  return rowMetric<Row>({
    name: options.name ?? figure,
    signature: signature(figure, {
      ...facts,
      model: provider.label.replaceAll("|", ","),
      temperature: options.parameters?.temperature ?? 0,
      characters: maxCharacters,
      prompt: stated.prompt ?? 1,
    }),
    ...(stated.direction && { direction: stated.direction }),
    range,
    unit: range[0] === 0 ? "share" : "score",
    asks: parameters.map(() => provider),
    asksWith: parameters,
    ...more,
    measure: (sample, generation, tools) => stated.measure(parameters, sample, generation, tools),
    value: (row) => row.value,
  })
}
