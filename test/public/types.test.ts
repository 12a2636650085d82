import { describe, expectTypeOf, it } from "vitest"
import {
  type AnyMetric,
  bleu,
  type ConfigFunction,
  type contains,
  custom,
  type Dataset,
  dataset,
  defineConfig,
  type EvaluationConfig,
  exactMatch,
  type Generation,
  inline,
  type Measured,
  type Metric,
  openai,
  type Price,
  type Provider,
  panel,
  perturb,
  perturbed,
  type Rubric,
  recorded,
  renderers,
  rouge,
  rubric,
  rubrics,
  type Sample,
  unscored,
  type VariantConfig,
  variant,
} from "../../src/index.ts"
import type { RecordedRow } from "../../src/providers/recorded/recorded-row.ts"
import type { SchemaRow } from "../../src/providers/recorded/row.ts"

/** The row of a metric, as its `summarise` reads it. */
type RowOf<Value> = Value extends Metric<infer Row> ? Row : never

// `tsc` checks this file; a line below `@ts-expect-error` must not compile.
describe("the types that configs rely on", () => {
  it("keep a config and a function that makes one apart", () => {
    expectTypeOf(defineConfig({ metrics: [exactMatch()] })).toEqualTypeOf<EvaluationConfig>()
    expectTypeOf(defineConfig(async () => ({ metrics: [] }))).toEqualTypeOf<ConfigFunction>()
    // @ts-expect-error a misspelt field is an error, not an extra one
    defineConfig({ metric: [exactMatch()] })
  })

  it("infer the row of a metric of one's own from what measure returns", () => {
    const counted = custom({
      name: "counted",
      direction: "higher",
      measure: (sample, generation) => {
        expectTypeOf(sample).toEqualTypeOf<Sample>()
        expectTypeOf(generation).toEqualTypeOf<Generation>()
        return generation.text === "" ? unscored("empty_output") : { words: 3, letters: "abc" }
      },
      summarise: (rows) => {
        expectTypeOf(rows[0]!.words).toEqualTypeOf<number>()
        return rows.length
      },
    })
    expectTypeOf<RowOf<typeof counted>>().toEqualTypeOf<{ words: number; letters: string }>()
    const mean = custom({ name: "mean", direction: "lower", measure: () => 1 })
    expectTypeOf(mean).toEqualTypeOf<Metric<number>>()
    // @ts-expect-error without summarise the rows are numbers
    custom({ name: "mean", direction: "lower", measure: () => "one" })
  })

  it("take metrics, judges and panels of any row in one list", () => {
    const judge = rubric({ provider: openai({ model: "m" }), rubric: rubrics.toxicity })
    expectTypeOf([exactMatch(), bleu(), rouge(), judge, panel([judge])]).toExtend<AnyMetric[]>()
    expectTypeOf<RowOf<ReturnType<typeof contains>>>().toEqualTypeOf<number>()
    expectTypeOf(rubrics.correctness).toEqualTypeOf<Rubric>()
    expectTypeOf<Measured<number>["status"]>().toEqualTypeOf<"scored" | "unscored">()
  })

  it("take every kind of data set, and give one back", () => {
    expectTypeOf(dataset("rows.jsonl")).toEqualTypeOf<Dataset>()
    expectTypeOf(dataset).parameter(0).toEqualTypeOf<string | URL>()
    expectTypeOf(perturbed(inline([{ input: "q" }]), { perturbations: [perturb.typos()] })).toEqualTypeOf<Dataset>()
    expectTypeOf<EvaluationConfig["dataset"]>().extract<string>().toEqualTypeOf<string>()
  })

  it("make every provider fit a variant", () => {
    expectTypeOf(openai({ model: "m" })).toEqualTypeOf<Provider>()
    expectTypeOf(variant({ provider: recorded([{ id: "a", text: "b" }]) })).toEqualTypeOf<VariantConfig>()
    // @ts-expect-error a variant needs a provider
    variant({ name: "a" })
    // @ts-expect-error the model is not optional
    openai({})
  })

  it("tell the kinds of price apart by their field", () => {
    const perHour: Price = {
      kind: "hourly",
      usdPerHour: 1,
      instances: 1,
      utilisation: 0.5,
      source: "s",
      date: "2026-01-01",
    }
    expectTypeOf<Extract<Price, { kind: "hourly" }>["usdPerHour"]>().toEqualTypeOf<number>()
    expectTypeOf(perHour.kind).toEqualTypeOf<"hourly">()
    // @ts-expect-error tokens have no price per hour
    perHour satisfies Extract<Price, { kind: "tokens" }>
  })

  it("take renderers as reports", () => {
    expectTypeOf([renderers.html(), renderers.junit()]).toExtend<NonNullable<EvaluationConfig["reports"]>>()
  })

  it("say of recorded rows what the schema says", () => {
    expectTypeOf<SchemaRow>().toExtend<RecordedRow>()
    expectTypeOf<keyof RecordedRow>().toEqualTypeOf<keyof SchemaRow>()
  })
})
