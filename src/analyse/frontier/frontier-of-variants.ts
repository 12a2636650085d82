import { UsageError } from "../../core/errors.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { MissingRule } from "../../core/report/comparison.ts"
import type { Frontier, FrontierAxis } from "../../core/report/frontier.ts"
import { parseConstraints } from "../../estimate/constraints.ts"
import { type CountedQuality, countedQuality } from "../../estimate/counted-rows.ts"
import { pseudoValues } from "../../estimate/pseudo-values.ts"
import { factsBehind } from "../../rows/columns/fact-columns.ts"
import { rowsBehind } from "../../rows/columns/metric-rows.ts"
import { entriesAt, figureOf, scoredPlaces } from "../../rows/columns/scored-rows.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import type { BoundedValue } from "../../stats/intervals/quotient-interval.ts"
import { mean } from "../../stats/mean.ts"
import { quantile } from "../../stats/quantile.ts"
import { parseFigureName } from "../decide/figure-name.ts"
import { type AnswerFigure, answerColumn, answerFigures } from "./answer-column.ts"
import { computeFrontier } from "./frontier.ts"
import type { FigureBounds, FrontierVariant } from "./frontier-variant.ts"
import { type JointRows, jointRows } from "./joint-rows.ts"
import { ratioParts } from "./ratio-parts.ts"

/** Figures of which more is better. */
const maximised = /PerSecond|availability/i

/** Options of {@link frontierOfVariants}. @experimental */
export interface FrontierOfVariantsOptions {
  readonly variants: readonly ScoredVariant[]
  readonly metrics: readonly AnyMetric[]
  /** Name of the metric that the axis `quality` reads. */
  readonly quality: string
  /** `quality`, a metric's name, `ttftMs`, `e2eMs.p95`, `costUsd`, or any other that `figure` knows. */
  readonly axes: readonly string[]
  readonly constraints?: readonly string[]
  readonly seed: number | string
  readonly resamples?: number
  readonly alpha?: number
  /** What an answer that failed counts as: the worst value by default. */
  readonly missing?: MissingRule
  /** Figures of a variant as a whole, without samples: `memoryBytes`, `energyJoules` …; one without an interval is exact. */
  readonly figure?: (variant: string, name: string) => BoundedValue | null
}

/** The frontier of scored variants: quality, latency and cost of one sample are drawn together. @experimental */
export function frontierOfVariants(options: FrontierOfVariantsOptions): Frontier {
  const { variants, metrics, axes } = options
  const names = [...axes, ...(options.constraints ?? []).flatMap(parseConstraints).map(({ figure }) => figure)]
  const metricOf = (name: string) => metrics.find((m) => m.name === (name === "quality" ? options.quality : name))
  if (axes.includes("quality") && !metricOf("quality"))
    throw new UsageError(`the frontier's quality metric "${options.quality}" is not among the metrics`, {
      where: "axes",
    })
  const rows = jointRows(variants)
  const built = variants.map((variant): FrontierVariant => {
    const columns = new Map(
      names.map((name) => {
        const perSolved = name === "perCorrectUsd" ? perSolvedColumn(variant, metricOf("quality"), rows) : null
        return [name, perSolved ?? column(variant, name, metricOf(name), rows, options)]
      }),
    )
    const of = (name: string) => columns.get(name) as Column
    return {
      name: variant.name,
      values: axes.map((name) => of(name).value),
      samples: axes.map((name) => of(name).samples),
      bounds: axes.map((name) => of(name).bounds ?? null),
      figureBounds: Object.fromEntries(
        names.flatMap((name) => {
          const { bounds } = of(name)
          return bounds ? [[name, bounds]] : []
        }),
      ),
      figures: Object.fromEntries(names.map((name) => [name, of(name).value])),
    }
  })
  return computeFrontier({
    ...options,
    axes: axes.map((name): FrontierAxis => {
      const metric = metricOf(name)
      const up = metric ? metric.direction === "higher" : maximised.test(name)
      return { name, goal: up ? "maximize" : "minimize", ...(metric?.unit ? { unit: metric.unit } : {}) }
    }),
    variants: built,
    clusters: rows.clusters,
  })
}

interface Column {
  readonly value: number | null
  readonly samples: Float64Array | null
  /** Of a figure without samples that is not exact. */
  readonly bounds?: FigureBounds
}

function column(
  variant: ScoredVariant,
  name: string,
  metric: AnyMetric | undefined,
  rows: JointRows,
  { figure: figureOfVariant = () => null, missing }: Pick<FrontierOfVariantsOptions, "figure" | "missing">,
): Column {
  if (metric) return qualityColumn(countedQuality(metric, rowsOf(variant, metric.name), missing), rows)
  const { figure, statistic, q } = parseFigureName(name)
  if (!isAnswerFigure(figure)) return columnOfFigure(figureOfVariant(variant.name, name))
  const samples = answerColumn(variant, figure, rows)
  const values = samples.filter(Number.isFinite)
  if (values.length === 0) return columnOfFigure(figureOfVariant(variant.name, name))
  return { value: statistic === "mean" ? mean(values) : quantile(values, q), samples }
}

function columnOfFigure(figure: BoundedValue | null): Column {
  if (figure === null) return { value: null, samples: null }
  const { value, low = value, high = value } = figure
  return { value, samples: null, ...((low !== value || high !== value) && { bounds: { low, high } }) }
}

/**
 * Dollars per correct answer, or solved task: the whole cost over the sum of what is correct, each answer with its part of it (the ratio's
 * linearisation), so that it is drawn together with the other axes. Null where a cost is unknown, or nothing says what is correct.
 */
function perSolvedColumn(
  { answers, rows: scored }: ScoredVariant,
  metric: AnyMetric | undefined,
  rows: JointRows,
): Column | null {
  if (metric?.range[0] !== 0 || metric.range[1] !== 1 || metric.direction !== "higher") return null
  const facts = factsBehind(answers)
  const scores = rowsBehind(scored.get(metric.name) ?? [])
  const costs = facts.figure("costUsd")
  const usd = Array.from({ length: facts.length }, (_, index) => numberOrNull(costs?.[index]))
  const solved = usd.map((_, index) => {
    const { ids } = facts.answers
    return numberOrNull(scores.values[scores.answers.find(ids[index] as string, facts.answers.repeat(index))]) ?? 0
  })
  const ratio = ratioParts(usd, solved)
  if (!ratio) return null
  const samples = new Float64Array(rows.size).fill(Number.NaN)
  const positions = rows.positions(facts.answers)
  ratio.parts.forEach((value, index) => {
    samples[positions[index] as number] = value
  })
  return { value: ratio.ratio, samples }
}

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value
}

/** One number per row whose mean is the variant's figure, NaN where nothing was asked; null without a figure. */
export function qualityColumn({ metric, rows: own }: CountedQuality, rows: JointRows): Column {
  const value = figureOf(metric, own)
  if (value === null) return { value: null, samples: null }
  const samples = new Float64Array(rows.size).fill(Number.NaN)
  const indices = scoredPlaces(own)
  const pseudo = pseudoValues(metric, entriesAt(own, indices), value)
  const positions = rows.positions(own.answers)
  pseudo.forEach((pseudoValue, i) => {
    samples[positions[indices ? (indices[i] as number) : i] as number] = pseudoValue
  })
  return { value, samples }
}

function isAnswerFigure(name: string): name is AnswerFigure {
  return (answerFigures as readonly string[]).includes(name)
}
