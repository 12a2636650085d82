import { isAnswered, type Outcome } from "../../src/core/outcome.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { unknown } from "../../src/core/report/figure.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { isBounded, metricTitle, metricUnit } from "../../src/words/metric.ts"
import type { Unit } from "../../src/words/quantity.ts"
import { columnWords } from "../wording/column-words.ts"

/** One figure per variant, as every renderer shows it: terminal, page, Markdown and CSV read the same list. */
export interface VariantColumn {
  readonly id: string
  readonly title: string
  /** What the title means, in plain words. */
  readonly explain: string
  readonly unit: Unit
  readonly goal: "maximize" | "minimize"
  readonly primary: boolean
  /** Between fixed ends, as a metric from 0 to 100: its axis is linear, however far off one variant is. */
  readonly isBounded?: boolean
  /** It is what it is, as the size of a file: it has no interval, and needs none. */
  readonly isExact?: boolean
  figure(variant: VariantReport): Figure
  /** A second figure behind the first (p99 behind p50). */
  second?(variant: VariantReport): Figure
}

/** The columns of a run: its metrics, the primary ones first, then speed, size and cost, then failures. */
export function variantColumns(report: RunReport): VariantColumn[] {
  const metrics = [...report.metrics].sort((a, b) => Number(b.primary) - Number(a.primary))
  const isKnown = (pick: (resources: VariantReport["resources"]) => Figure | undefined) =>
    report.variants.some(({ resources }) => pick(resources)?.status === "known")
  return [
    ...metrics.map(metricColumn),
    ...performanceColumns,
    ...(report.variants.some(({ reliability }) => reliability?.failedAttempts) ? [attemptColumn] : []),
    ...(isKnown(({ joulesPerAnswer }) => joulesPerAnswer) ? energyColumns : []),
    ...(isKnown(({ electricityUsdPerAnswer }) => electricityUsdPerAnswer) ? [electricityColumn] : []),
    ...(isKnown(({ gramsCo2PerAnswer }) => gramsCo2PerAnswer) ? [emissionColumn] : []),
  ]
}

/**
 * The columns that people are shown. A file's size and a process's memory are of servers on this machine: where nothing is known of either for any
 * variant, as of services, two columns of "unknown" say nothing.
 */
export function shownColumns(report: RunReport): VariantColumn[] {
  const ofServers = new Set(["modelBytes", "memoryBytes"])
  const columns = variantColumns(report)
  const isServed = columns.some(
    ({ id, figure }) => ofServers.has(id) && report.variants.some((one) => figure(one).status === "known"),
  )
  return isServed ? columns : columns.filter(({ id }) => !ofServers.has(id))
}

/** Requests of a variant that brought no usable answer. */
export function failedCount(variant: VariantReport): number {
  let failed = 0
  for (const [outcome, times] of Object.entries(variant.outcomes))
    if (!isAnswered(outcome as Outcome)) failed += times ?? 0
  return failed
}

/** How a variant compares in one column: the best, not distinguishable from it (intervals overlap), or neither. */
export type Standing = "best" | "tied" | null

/**
 * The standing of every variant in a column, in order. Ties are decided by overlapping intervals; a column where
 * all are equal has no mark.
 */
export function standings(column: VariantColumn, variants: readonly VariantReport[]): Standing[] {
  const figures = variants.map((variant) => column.figure(variant))
  const known = figures.filter((figure) => figure.status === "known")
  if (known.length < 2) return figures.map(() => null)
  const sign = column.goal === "maximize" ? 1 : -1
  const best = known.reduce((a, b) => (sign * b.value > sign * a.value ? b : a))
  if (known.every((figure) => figure.value === best.value)) return figures.map(() => null)
  return figures.map((figure) => {
    if (figure.status === "unknown") return null
    if (figure.value === best.value) return "best"
    const reach = column.goal === "maximize" ? figure.high : figure.low
    const limit = column.goal === "maximize" ? best.low : best.high
    return reach != null && limit != null && sign * reach >= sign * limit ? "tied" : null
  })
}

function metricColumn(metric: RunReport["metrics"][number]): VariantColumn {
  return {
    id: metric.name,
    title: metricTitle(metric),
    explain: metric.direction === "higher" ? "more is better" : "less is better",
    unit: metricUnit(metric),
    goal: metric.direction === "higher" ? "maximize" : "minimize",
    primary: metric.primary,
    isBounded: isBounded(metric),
    figure: (variant) =>
      variant.quality.find((one) => one.metric === metric.name)?.figure ?? unknown("the metric has no figure"),
  }
}

const bothPercentiles = "Half of the answers are faster than p50, 99 of 100 faster than p99."

/** Shown where the energy of some variant was measured. */
const energyColumns: readonly VariantColumn[] = [
  {
    id: "joulesPerAnswer",
    title: "J per answer",
    explain: columnWords.joulesPerAnswer,
    unit: "joules",
    goal: "minimize",
    primary: false,
    figure: ({ resources }) => resources.joulesPerAnswer,
  },
  {
    id: "joulesPerCorrect",
    title: "J per correct",
    explain: columnWords.joulesPerCorrect,
    unit: "joules",
    goal: "minimize",
    primary: false,
    figure: ({ resources }) => resources.joulesPerCorrect,
  },
]

/** Shown where an attempt failed. */
const attemptColumn: VariantColumn = {
  id: "attemptFailures",
  title: "failed attempts",
  explain: columnWords.attemptFailures,
  unit: "share",
  goal: "minimize",
  primary: false,
  figure: ({ reliability }) => reliability?.attemptFailures ?? unknown("no model was called"),
}

const electricityColumn: VariantColumn = {
  id: "electricityUsdPerThousand",
  title: "electricity per 1k",
  explain: columnWords.electricityUsdPerThousand,
  unit: "usd",
  goal: "minimize",
  primary: false,
  figure: ({ resources }) => thousand(resources.electricityUsdPerAnswer),
}

const emissionColumn: VariantColumn = {
  id: "gramsCo2PerThousand",
  title: "g CO2e per 1k",
  explain: columnWords.gramsCo2PerThousand,
  unit: "grams",
  goal: "minimize",
  primary: false,
  figure: ({ resources }) => thousand(resources.gramsCo2PerAnswer),
}

function thousand(figure: Figure | undefined): Figure {
  if (figure?.status !== "known") return figure ?? unknown("it was not measured")
  const scaled = (value: number | null | undefined) => (value == null ? null : value * 1000)
  return { ...figure, value: figure.value * 1000, low: scaled(figure.low), high: scaled(figure.high) }
}

const performanceColumns: readonly VariantColumn[] = [
  {
    id: "ttftMs",
    title: "TTFT p50/p99",
    explain: `${columnWords.ttftMs} ${bothPercentiles}`,
    unit: "ms",
    goal: "minimize",
    primary: false,
    figure: (variant) => variant.speed.ttftMs.p50,
    second: (variant) => variant.speed.ttftMs.p99,
  },
  {
    id: "e2eMs",
    title: "E2E p50/p99",
    explain: `${columnWords.e2eMs} ${bothPercentiles}`,
    unit: "ms",
    goal: "minimize",
    primary: false,
    figure: (variant) => variant.speed.e2eMs.p50,
    second: (variant) => variant.speed.e2eMs.p99,
  },
  {
    id: "tokensPerSecond",
    title: "decode t/s",
    explain: `${columnWords.tokensPerSecond} The throughput of all answers together is in the section on speed.`,
    unit: "score",
    goal: "maximize",
    primary: false,
    figure: (variant) => variant.speed.outputTokensPerSecond.p50,
  },
  {
    id: "modelBytes",
    title: "size",
    explain: columnWords.modelBytes,
    unit: "bytes",
    goal: "minimize",
    primary: false,
    isExact: true,
    figure: (variant) => variant.resources.modelBytes,
  },
  {
    id: "memoryBytes",
    title: "memory",
    explain: columnWords.memoryBytes,
    unit: "bytes",
    goal: "minimize",
    primary: false,
    figure: (variant) => variant.resources.peakRssBytes,
  },
  {
    id: "perThousandUsd",
    title: "$ per 1k",
    explain: columnWords.perThousandUsd,
    unit: "usd",
    goal: "minimize",
    primary: false,
    figure: (variant) => variant.cost.perThousandUsd,
  },
  {
    id: "failed",
    title: "failed",
    explain: columnWords.failed,
    unit: "count",
    goal: "minimize",
    primary: false,
    figure: (variant) => ({ status: "known", value: failedCount(variant), n: variant.finished, method: "count" }),
  },
]
