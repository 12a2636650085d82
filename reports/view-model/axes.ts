import type { FrontierAxis } from "../../src/core/report/frontier.ts"
import type { RunReport } from "../../src/core/report/report.ts"
import { isBounded, metricCalled, metricTitle, metricUnit, type ReportMetric } from "../../src/words/metric.ts"
import { isShare, type Unit } from "../../src/words/quantity.ts"

const titles: ReadonlyMap<string, string> = new Map([
  ["costUsd", "cost"],
  ["ttftMs", "TTFT"],
  ["e2eMs", "E2E"],
  ["tpotMs", "time per token"],
  ["memoryBytes", "memory"],
  ["energyJoules", "energy"],
  ["joulesPerAnswer", "energy per answer"],
  ["joulesPerToken", "energy per token"],
  ["joulesPerCorrect", "energy per correct answer"],
  ["electricityUsdPerAnswer", "electricity per answer"],
  ["electricityUsdPerCorrect", "electricity per correct answer"],
  ["gramsCo2PerAnswer", "CO2e per answer"],
  ["gramsCo2PerCorrect", "CO2e per correct answer"],
  ["gpuMemoryBytes", "GPU memory"],
])

/** An axis as a small chart shows it: cost per 1,000 requests, because that of one has too many zeros to be read. */
export interface ShownAxis {
  readonly title: string
  readonly unit: Unit | null
  /** What the frontier's values are multiplied by. */
  readonly factor: number
  /** However far its values lie apart: a metric between fixed ends, or shares. */
  readonly isLinear: boolean
}

/** How an axis of the frontier is shown; `quality` by the name of the metric that decides. */
export function shownAxis(report: RunReport, axis: FrontierAxis): ShownAxis {
  const unit = axisUnit(report, axis)
  if (axis.name === "costUsd") return { title: "cost of 1,000", unit, factor: 1000, isLinear: false }
  const metric = axisMetric(report, axis)
  const isLinear = isShare(unit) || (metric !== undefined && isBounded(metric))
  return { title: axisTitle(report, axis.name), unit, factor: 1, isLinear }
}

/** Whether an axis is drawn by logarithms: where its values are positive and further apart than a decade. */
export function isLogarithmic(values: readonly number[], { isLinear }: Pick<ShownAxis, "isLinear">): boolean {
  const low = Math.min(...values)
  return !isLinear && low > 0 && Math.max(...values) / low > 10
}

/** A short title of a frontier's axis: `costUsd` → "cost"; of a metric its own, and of `quality` that of the one that decides. */
export function axisTitle({ metrics }: Pick<RunReport, "metrics">, name: string): string {
  const primary = metrics.filter((metric) => metric.primary)
  const deciding = name === "quality" && primary.length === 1 ? primary[0] : undefined
  return deciding ? metricTitle(deciding, 30) : (titles.get(name) ?? metricCalled(metrics, name, 30))
}

/** The unit of a frontier's axis: its own, the primary metric's for `quality`, else what its name ends with. */
export function axisUnit(report: RunReport, axis: FrontierAxis): Unit | null {
  const metric = axisMetric(report, axis)
  if (metric) return metricUnit(metric)
  if (axis.unit) return axis.unit
  if (axis.name.startsWith("joulesPer")) return "joules"
  if (axis.name.startsWith("electricityUsd")) return "usd"
  if (axis.name.startsWith("gramsCo2")) return "grams"
  const [ending] = /(Ms|Usd|Bytes|Joules)$/.exec(axis.name) ?? []
  return ending ? ending.toLowerCase() : null
}

function axisMetric({ metrics }: RunReport, { name }: FrontierAxis): ReportMetric | undefined {
  return metrics.find((metric) => (name === "quality" ? metric.primary : metric.name === name))
}
