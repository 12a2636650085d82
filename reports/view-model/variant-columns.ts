import { isAnswered, type Outcome } from "../../src/core/outcome.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import type { RunReport, TextFigures, VariantReport } from "../../src/core/report/report.ts"
import { isBounded, metricTitle, metricUnit } from "../../src/words/metric.ts"
import type { Unit } from "../../src/words/quantity.ts"
import { columnWords } from "../wording/column-words.ts"

/** One figure per variant, as every output shows it: terminal, page, Markdown and CSV read the same list. */
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
    ({ id, figure }) => ofServers.has(id) && report.variants.some((variant) => figure(variant).status === "known"),
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
 * all are equal has no mark, nor has a variant whose second figure is the worst of all.
 */
export function standings(column: VariantColumn, variants: readonly VariantReport[]): Standing[] {
  const figures = variants.map((variant) => column.figure(variant))
  const measured = figures.filter((figure) => figure.status === "known")
  if (measured.length < 2) return figures.map(() => null)
  const sign = column.goal === "maximize" ? 1 : -1
  const best = measured.reduce((a, b) => (sign * b.value > sign * a.value ? b : a))
  if (measured.every((figure) => figure.value === best.value)) return figures.map(() => null)
  const seconds = variants.map((variant) => column.second?.(variant))
  const values = seconds.flatMap((figure) => (figure?.status === "known" ? [figure.value] : []))
  const worst = sign === 1 ? Math.min(...values) : Math.max(...values)
  const isWorst = (figure: Figure | undefined) =>
    figure?.status === "known" && figure.value === worst && values.some((value) => value !== worst)
  return figures.map((figure, index) => {
    if (figure.status === "unknown" || isWorst(seconds[index])) return null
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
      variant.quality.find((qualityFigure) => qualityFigure.metric === metric.name)?.figure ??
      unknown("the metric has no figure"),
  }
}

/** A column beside the metrics; less is better unless `more` says otherwise. */
function column(
  id: keyof typeof columnWords,
  title: string,
  unit: Unit,
  figure: VariantColumn["figure"],
  more: Partial<VariantColumn> = {},
): VariantColumn {
  return { id, title, explain: columnWords[id], unit, goal: "minimize", primary: false, figure, ...more }
}

/** Shown where the energy of some variant was measured. */
const energyColumns: readonly VariantColumn[] = [
  column("joulesPerAnswer", "J per answer", "joules", ({ resources }) => resources.joulesPerAnswer),
  column("joulesPerCorrect", "J per correct", "joules", ({ resources }) => resources.joulesPerCorrect),
]

/** Shown where an attempt failed. */
const attemptColumn = column(
  "attemptFailures",
  "failed attempts",
  "share",
  ({ reliability }) => reliability?.attemptFailures ?? unknown("no model was called"),
)

const electricityColumn = column("electricityUsdPerThousand", "electricity per 1k", "usd", ({ resources }) =>
  thousandfold(resources.electricityUsdPerAnswer),
)

const emissionColumn = column("gramsCo2PerThousand", "g CO2e per 1k", "grams", ({ resources }) =>
  thousandfold(resources.gramsCo2PerAnswer),
)

/** A figure of one request as that of 1,000, so that it has few zeros. */
export function thousandfold(figure: Figure): Figure {
  if (figure.status === "unknown") return figure
  const { low, high } = figure
  const scaled = (value: number | null) => (value === null ? null : value * 1000)
  return {
    ...figure,
    value: figure.value * 1000,
    ...(low !== undefined && { low: scaled(low) }),
    ...(high !== undefined && { high: scaled(high) }),
  }
}

const bothPercentiles = "Half of the answers are faster than p50, 99 of 100 faster than p99."

const performanceColumns: readonly VariantColumn[] = [
  column("ttftMs", "TTFT p50/p99", "ms", ({ speed }) => speed.ttftMs.p50, {
    explain: `${columnWords.ttftMs} ${bothPercentiles}`,
    second: ({ speed }) => speed.ttftMs.p99,
  }),
  column("e2eMs", "E2E p50/p99", "ms", ({ speed }) => speed.e2eMs.p50, {
    explain: `${columnWords.e2eMs} ${bothPercentiles}`,
    second: ({ speed }) => speed.e2eMs.p99,
  }),
  column("tokensPerSecond", "decode t/s", "score", ({ speed }) => speed.outputTokensPerSecond.p50, {
    explain: `${columnWords.tokensPerSecond} The throughput of all answers together is in the section on speed.`,
    goal: "maximize",
  }),
  column("modelBytes", "size", "bytes", ({ resources }) => resources.modelBytes, { isExact: true }),
  column("memoryBytes", "memory", "bytes", ({ resources }) => resources.peakRssBytes),
  column("perThousandUsd", "$ per 1k", "usd", ({ cost }) => cost.perThousandUsd),
  column("failed", "failed", "count", (variant) => ({
    status: "known",
    value: failedCount(variant),
    n: variant.finished,
    method: "count",
  })),
]

/** A figure of what the answers hold, in measures that no tokenizer of a provider decides. */
export interface AnswerColumn extends Pick<VariantColumn, "id" | "title" | "figure"> {
  readonly unit: "usd" | null
}

/** Read by CSV; the page and JSON have them as the section `tokens`. */
export const answerColumns: readonly AnswerColumn[] = [
  answerColumn("tokensPerAnswer", "tokens"),
  answerColumn("o200kPerAnswer", "o200k"),
  answerColumn("charactersPerAnswer", "characters"),
  answerColumn("o200kPerSecond", "o200k/s"),
  answerColumn("charactersPerSecond", "characters/s"),
  answerColumn("usdPerAnswer", "$ per answer", { unit: "usd" }),
  answerColumn("usdPerMillionO200k", "$ per 1M o200k", { unit: "usd" }),
  answerColumn("usdPerMillionCharacters", "$ per 1M characters", { unit: "usd" }),
]

function answerColumn(id: keyof TextFigures, title: string, more: Partial<AnswerColumn> = {}): AnswerColumn {
  return { id, title, unit: null, ...more, figure: ({ text }) => text[id] }
}
