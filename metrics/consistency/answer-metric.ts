import type { Generation } from "../../src/core/generation.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { type Metric, scored, type Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { usedEntailment } from "../../src/core/metric/used-model.ts"
import { mean } from "../../src/stats/mean.ts"
import type { EntailmentModel } from "../hallucination/entailment.ts"
import { isUnscored } from "../row-metric.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { squadNormalize } from "../text/squad-normalize.ts"
import { entailmentClasses } from "./entailment-classes.ts"
import { bySample, classCounts } from "./repeats.ts"

/** When two answers count as the same. @experimental */
export interface EquivalenceOptions {
  readonly name?: string
  /**
   * What of an answer is compared, computed once per answer: the normalised text by default; an embedding, a parsed number,
   * a chosen option …; see also {@link embeddingEquivalence}.
   */
  readonly represent?: (
    generation: Generation,
    tools: MetricTools,
  ) => JsonValue | Unscored | Promise<JsonValue | Unscored>
  /** A model of natural language inference: two answers are the same when each entails the other ({@link entailmentClasses}). */
  readonly model?: EntailmentModel
  /** Whether two representations mean the same. Equality by default. */
  readonly equivalent?: (a: JsonValue, b: JsonValue) => boolean
  /** What the two are, for the signature. Default `custom`. */
  readonly identity?: string
}

/** What a metric over the repeats of a sample states. */
interface AnswerMetricFacts {
  readonly name: string
  readonly direction: "higher" | "lower"
  readonly range: readonly [number, number]
  readonly options: EquivalenceOptions
  /** The figure of one sample from the sizes of its classes of equal answers; they add up to its repeats. */
  figure(counts: readonly number[]): number
}

const isSame = (a: JsonValue, b: JsonValue) =>
  a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b))

/** A metric over how many different answers the repeats of a sample have; the summary is the mean over samples. */
export function answerMetric(facts: AnswerMetricFacts): Metric<JsonValue> {
  const { options, name, direction, range, figure } = facts
  const { model } = options
  const represent = options.represent ?? (model && entailmentClasses(model))
  const { equivalent = isSame } = options
  const custom = options.identity ?? "custom"
  const made = model && !options.represent ? `entailment-${model.identity.replaceAll("|", ",")}` : custom
  const identity = { represent: represent ? made : "squad", equivalent: options.equivalent ? custom : "equal" }
  const ofSample = (answers: readonly JsonValue[]) =>
    answers.length < 2 ? null : figure(classCounts(answers, equivalent))
  return {
    name: options.name ?? name,
    signature: signature(name, identity),
    direction,
    range,
    unit: "score",
    aggregation: { kind: "rows", ofSample },
    recipe: recipe(name, options),
    needs: { repeats: 2 },
    ...(model && { uses: [usedEntailment(model)], close: async () => model.close?.() }),
    async measure(_sample, generation, tools) {
      if (!represent) return scored(squadNormalize(generation.text))
      const represented = await represent(generation, tools)
      return isUnscored(represented) ? represented : scored(represented)
    },
    // A single answer has no agreement: the figure is the sample's.
    value: () => null,
    summarise(rows) {
      const samples = bySample(rows, 2)
      if (samples.length === 0) return { value: null, reason: "no sample has two answers: set repeats" }
      const values = samples.map((answers) => ofSample(answers) as number)
      return { value: mean(values), details: { samples: samples.length, answers: rows.length } }
    },
  }
}
