import { UsageError } from "../../core/errors.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import type { MetricRow, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { isTimedOutcome } from "../../core/outcome.ts"
import type { Frontier, FrontierAxis } from "../../core/report/frontier.ts"
import { mean } from "../../stats/mean.ts"
import { quantile } from "../../stats/quantile.ts"
import { pseudoValues } from "../compare/pseudo-values.ts"
import { parseConstraints } from "../decide/constraints.ts"
import { parseFigureName } from "../decide/figure-name.ts"
import { scoredEntries } from "../score/entries.ts"
import { computeFrontier } from "./frontier.ts"
import type { FrontierVariant } from "./frontier-variant.ts"
import { type JointRows, jointRows, rowKey } from "./joint-rows.ts"
import { ratioParts } from "./ratio-parts.ts"

const answerFigures = ["ttftMs", "e2eMs", "tpotMs", "costUsd", "completionTokens"] as const
type AnswerFigure = (typeof answerFigures)[number]

/** Figures of which more is better. */
const maximised = /PerSecond|availability/i

/** Options of {@link frontierOfVariants}. @experimental */
export interface FrontierOfVariantsOptions {
  readonly variants: readonly ScoredVariant[]
  readonly metrics: readonly AnyMetric[]
  /** Name of the metric that the axis `quality` reads. */
  readonly quality: string
  /** `quality`, a metric's name, `ttftMs`, `e2eMs.p95`, `costUsd`, or any figure that `exact` knows. */
  readonly axes: readonly string[]
  readonly constraints?: readonly string[]
  readonly seed: number | string
  readonly resamples?: number
  readonly alpha?: number
  /** Figures of a variant as a whole, without samples: `memoryBytes`, `energyJoules` … */
  readonly exact?: (variant: string, figure: string) => number | null
}

/** The frontier of scored variants: quality, latency and cost of one sample are drawn together. @experimental */
export function frontierOfVariants(options: FrontierOfVariantsOptions): Frontier {
  const { variants, metrics, axes, exact = () => null } = options
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
        return [name, perSolved ?? column(variant, name, metricOf(name), rows, exact)]
      }),
    )
    const of = (name: string) => columns.get(name) as Column
    return {
      name: variant.name,
      values: axes.map((name) => of(name).value),
      samples: axes.map((name) => of(name).samples),
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
}

function column(
  variant: ScoredVariant,
  name: string,
  metric: AnyMetric | undefined,
  rows: JointRows,
  exact: (variant: string, figure: string) => number | null,
): Column {
  if (metric) return qualityColumn(variant.rows.get(metric.name) ?? [], metric, rows)
  const { figure, statistic, q } = parseFigureName(name)
  if (!isAnswerFigure(figure)) return { value: exact(variant.name, name), samples: null }
  const samples = new Float64Array(rows.position.size).fill(Number.NaN)
  for (const answer of variant.answers) {
    const value = answer[figure]
    if (value !== null && answer.source !== "replayed" && (figure === "costUsd" || isTimedOutcome(answer.outcome)))
      samples[rows.position.get(rowKey(answer)) as number] = value
  }
  const known = samples.filter(Number.isFinite)
  if (known.length === 0) return { value: exact(variant.name, name), samples: null }
  return { value: statistic === "mean" ? mean(known) : quantile(known, q), samples }
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
  const correct = new Map((scored.get(metric.name) ?? []).map((row) => [rowKey(row), row.value ?? 0]))
  const parts = answers.map((answer) => ({
    key: rowKey(answer),
    usd: answer.costUsd,
    solved: correct.get(rowKey(answer)) ?? 0,
  }))
  const samples = new Float64Array(rows.position.size).fill(Number.NaN)
  const found = ratioParts(
    parts.map(({ usd }) => usd),
    parts.map(({ solved }) => solved),
  )
  if (!found) return null
  found.parts.forEach((value, i) => {
    samples[rows.position.get(parts[i]?.key ?? "") as number] = value
  })
  return { value: found.ratio, samples }
}

function qualityColumn(metricRows: readonly MetricRow[], metric: AnyMetric, rows: JointRows): Column {
  const { entries } = scoredEntries(metricRows)
  const value = entries.length === 0 ? null : metric.summarise(entries).value
  if (value === null) return { value: null, samples: null }
  const samples = new Float64Array(rows.position.size).fill(Number.NaN)
  const pseudo = pseudoValues(metric, entries, value)
  entries.forEach((entry, i) => {
    samples[rows.position.get(rowKey(entry)) as number] = pseudo[i] as number
  })
  return { value, samples }
}

function isAnswerFigure(name: string): name is AnswerFigure {
  return (answerFigures as readonly string[]).includes(name)
}
