import type { Generation } from "../../src/core/generation.ts"
import type { JsonValue } from "../../src/core/json.ts"
import type { Metric, Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { mean } from "../../src/stats/mean.ts"
import { partsOf } from "../parts-of.ts"
import { rowMetric } from "../row-metric.ts"
import { detectionOf, unsupportedPerThousandTokens } from "./lens-figures.ts"
import { type Assessment, type LensRow, lensRow } from "./lens-row.ts"
import { lensSection } from "./lens-section.ts"

/** A hallucination metric that says what it costs and what it cannot detect. @experimental */
export interface Lens<Row extends LensRow = LensRow> extends Metric<Row> {
  /** What one answer costs, in words. */
  readonly cost: string
  /** What it cannot detect. */
  readonly blindSpot: string
}

/** What is specific to one lens. @experimental */
export interface LensOptions {
  readonly name: string
  readonly signature: string
  /** Scores above it flag the answer as hallucinated. */
  readonly threshold: number
  /** `rate` (default): the figure is the share of flagged answers; `score`: the mean score. */
  readonly figure?: "rate" | "score"
  /** Range of the figure. Default 0..1. */
  readonly range?: readonly [number, number]
  readonly cost: string
  readonly blindSpot: string
  readonly needs?: Metric["needs"]
  readonly asks?: Metric["asks"]
  readonly asksWith?: Metric["asksWith"]
  /** What it uses besides models that are asked: an embedder, whose use counts in the budget. */
  readonly meters?: Metric["meters"]
  readonly uses?: Metric["uses"]
  assess(
    sample: Sample,
    generation: Generation,
    tools: MetricTools,
  ): Assessment | Unscored | Promise<Assessment | Unscored>
  close?(): Promise<void>
}

/**
 * A hallucination metric: the rate of flagged answers (or their mean score), with its interval; details add unsupported
 * statements per 1,000 tokens and, where samples have labels (true: hallucinated), precision, recall and AUROC of the lens
 * itself. Its section states cost and blind spot.
 * @experimental
 */
export function lensMetric(options: LensOptions): Lens {
  checkOptions("lensMetric", options)
  const { name, signature, assess, threshold, figure = "rate", range = [0, 1], cost, blindSpot } = options
  const value = ({ score, flagged }: LensRow) => (figure === "score" ? score : Number(flagged))
  const metric = rowMetric<LensRow>({
    name,
    signature,
    direction: "lower",
    range,
    unit: figure === "score" ? "score" : "share",
    note: `Cost: ${cost}. Blind spot: ${blindSpot}.`,
    ...partsOf([options]),
    async measure(sample, generation, tools) {
      const found = await assess(sample, generation, tools)
      return "status" in found ? found : lensRow(found, found.score > threshold, sample, generation)
    },
    value,
    details: lensDetails,
    section: (variants, level) => lensSection({ name, figure, cost, blindSpot, value }, variants, level),
  })
  return { ...metric, cost, blindSpot }
}

/** What the figure of a lens is made from. */
export function lensDetails(rows: readonly LensRow[]): { readonly [name: string]: JsonValue } {
  const found = detectionOf(rows)
  return {
    flagged: mean(rows.map(({ flagged }) => Number(flagged))),
    checked: rows.reduce((sum, { checked }) => sum + checked, 0),
    unsupported: rows.reduce((sum, { unsupported }) => sum + unsupported, 0),
    per1000Tokens: unsupportedPerThousandTokens(rows),
    ...(found && { detection: { ...found } }),
  }
}
