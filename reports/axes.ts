import type { FrontierAxis } from "../src/core/frontier.ts"
import type { RunReport } from "../src/core/report.ts"
import { metricUnit, readableName } from "./format/metric.ts"
import type { Unit } from "./format/quantity.ts"

const titles: ReadonlyMap<string, string> = new Map([
  ["costUsd", "cost"],
  ["ttftMs", "TTFT"],
  ["e2eMs", "E2E"],
  ["tpotMs", "time per token"],
  ["memoryBytes", "memory"],
  ["energyJoules", "energy"],
])

/** A short title of a frontier's axis: `costUsd` → "cost". */
export function axisTitle(name: string): string {
  return titles.get(name) ?? readableName(name, 30)
}

/** The unit of a frontier's axis: its own, the primary metric's for `quality`, else what its name ends with. */
export function axisUnit(report: RunReport, axis: FrontierAxis): Unit | null {
  const metric = report.metrics.find((one) => (axis.name === "quality" ? one.primary : one.name === axis.name))
  if (metric) return metricUnit(metric)
  if (axis.unit) return axis.unit
  const [ending] = /(Ms|Usd|Bytes|Joules)$/.exec(axis.name) ?? []
  return ending ? ending.toLowerCase() : null
}
