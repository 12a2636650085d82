import type { Generation } from "../../src/core/generation.ts"
import type { JsonValue } from "../../src/core/json.ts"
import type { Metric, Unscored } from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { Sample } from "../../src/core/sample.ts"
import { mean } from "../../src/stats/mean.ts"
import { partsOf } from "../parts-of.ts"
import { rowMetric } from "../row-metric.ts"
import { detectionOf, unsupportedPerThousandTokens } from "./detector-figures.ts"
import { type Assessment, type DetectorRow, detectorRow } from "./detector-row.ts"
import { detectorSection } from "./detector-section.ts"

/** A hallucination metric that says what it costs and what it cannot detect. @experimental */
export interface Detector<Row extends DetectorRow = DetectorRow> extends Metric<Row> {
  /** What one answer costs, in words. */
  readonly cost: string
  /** What it cannot detect. */
  readonly blindSpot: string
}

/** What is specific to one detector. @experimental */
export interface DetectorOptions {
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
 * statements per 1,000 tokens and, where samples have labels (true: hallucinated), precision, recall and AUROC of the detector
 * itself. Its section states cost and blind spot.
 * @experimental
 */
export function detectorMetric(options: DetectorOptions): Detector {
  checkOptions("detectorMetric", options)
  const { name, signature, assess, threshold, figure = "rate", range = [0, 1], cost, blindSpot } = options
  const value = ({ score, flagged }: DetectorRow) => (figure === "score" ? score : Number(flagged))
  const metric = rowMetric<DetectorRow>({
    name,
    signature,
    direction: "lower",
    range,
    unit: figure === "score" ? "score" : "share",
    note: `Cost: ${cost}. Blind spot: ${blindSpot}.`,
    ...partsOf([options]),
    async measure(sample, generation, tools) {
      const result = await assess(sample, generation, tools)
      return "status" in result ? result : detectorRow(result, result.score > threshold, sample, generation)
    },
    value,
    details: detectorDetails,
    section: (variants, level) => detectorSection({ name, figure, cost, blindSpot, value }, variants, level),
  })
  return { ...metric, cost, blindSpot }
}

/** What the figure of a detector is made from. */
export function detectorDetails(rows: readonly DetectorRow[]): { readonly [name: string]: JsonValue } {
  const detection = detectionOf(rows)
  return {
    flagged: mean(rows.map(({ flagged }) => Number(flagged))),
    checked: rows.reduce((sum, { checked }) => sum + checked, 0),
    unsupported: rows.reduce((sum, { unsupported }) => sum + unsupported, 0),
    per1000Tokens: unsupportedPerThousandTokens(rows),
    ...(detection && { detection: { ...detection } }),
  }
}
