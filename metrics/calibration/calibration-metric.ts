import type { JsonValue } from "../../src/core/json.ts"
import { type Metric, type RowEntry, type Summary, type SummaryLevel, scored } from "../../src/core/metric/metric.ts"
import { counted } from "../../src/words/number.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { type ConfidenceOptions, type ConfidenceRow, confidenceRow } from "./confidence.ts"

/** Answers under which a figure of calibration is mostly noise. */
const enoughAnswers = 100

/** Resamples of a figure that needs all rows each time. */
const resamples = 400

/** What a metric of calibration states; the rest is filled in. */
export interface CalibrationMetricOptions {
  readonly options: ConfidenceOptions
  /** Its name unless the options give another. */
  readonly name: string
  readonly facts?: Readonly<Record<string, string | number | boolean>>
  readonly direction: "higher" | "lower"
  /** Default 0..1. */
  readonly range?: readonly [number, number]
  /** The figure of many answers; NaN where it is undefined. */
  figure(confidence: Float64Array, correct: Float64Array): number
  /** The figure of a single answer, where it has one. */
  value?(row: ConfidenceRow): number
  /** Everything behind the figure. */
  details?(confidence: Float64Array, correct: Float64Array): Readonly<Record<string, JsonValue>>
  readonly aggregation?: Metric<ConfidenceRow>["aggregation"]
  /** An interval of its own, where resampling would mislead. */
  interval?(
    confidence: Float64Array,
    correct: Float64Array,
    keys: readonly string[],
    value: number,
    level?: SummaryLevel,
  ): Summary["interval"]
  /** Why the figure may be undefined. */
  readonly undefinedReason?: string
}

/** A metric over pairs of confidence and correctness: it reads them once and keeps them as its row. */
export function calibrationMetric(facts: CalibrationMetricOptions): Metric<ConfidenceRow> {
  const { options, direction, range = [0, 1], figure } = facts
  const name = options.name ?? facts.name
  const correct = options.correct ?? "exactMatch"
  const source = typeof options.confidence === "function" ? "custom" : (options.confidence ?? "auto")
  return {
    name,
    signature: signature(facts.name, {
      ...facts.facts,
      confidence: source,
      correct: options.threshold === undefined ? correct : `${correct}>=${options.threshold}`,
    }),
    direction,
    range,
    unit: "score",
    aggregation: facts.aggregation ?? (facts.value ? { kind: "mean" } : { kind: "rows", resamples }),
    recipe: recipe(facts.name, options),
    ...(options.correct && { dependsOn: [options.correct] }),
    needs: neededFor(source),
    async measure(sample, generation, tools) {
      const row = await confidenceRow(sample, generation, tools, options)
      return "status" in row ? row : scored(row)
    },
    value: (row) => facts.value?.(row) ?? null,
    summarise(rows, level): Summary {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const pairs = columns(rows)
      const value = figure(pairs.confidence, pairs.correct)
      const details = {
        n: rows.length,
        ...(rows.length < enoughAnswers && {
          warning: `n too small: ${counted(rows.length, "answer")}, ${enoughAnswers} needed`,
        }),
        ...facts.details?.(pairs.confidence, pairs.correct),
      }
      if (!Number.isFinite(value))
        return { value: null, reason: facts.undefinedReason ?? "undefined for these answers", details }
      return {
        value,
        details,
        get interval() {
          const keys = rows.map((entry) => entry.cluster ?? entry.sampleId)
          return facts.interval?.(pairs.confidence, pairs.correct, keys, value, level)
        },
      }
    },
  }
}

function neededFor(source: string): NonNullable<Metric["needs"]> {
  if (source === "choice") return { logprobs: true, topLogprobs: 20 }
  return source === "given" || source === "verbalised" || source === "custom" ? {} : { logprobs: true }
}

function columns(rows: readonly RowEntry<ConfidenceRow>[]): { confidence: Float64Array; correct: Float64Array } {
  const [confidence, correct] = [new Float64Array(rows.length), new Float64Array(rows.length)]
  rows.forEach(({ row }, i) => {
    confidence[i] = row.confidence
    correct[i] = row.correct
  })
  return { confidence, correct }
}
