import type { AnyMetric } from "../core/metric/metric.ts"
import type { OperationTrend, Trend, TrendPoint, TrendReach } from "../core/report/trend.ts"
import { minShiftValues } from "../stats/sequential/level-shift.ts"
import { levelOf } from "../words/difference.ts"
import { metricTitle } from "../words/names.ts"
import { amount, counted } from "../words/number.ts"
import { pValue } from "../words/p-value.ts"

/** How a metric went over the runs: its changes, its alarms, and what cannot be told. */
export function trendSentence(
  metric: AnyMetric,
  points: readonly TrendPoint[],
  changes: Trend["changes"],
  { compared, newest }: TrendReach,
): string {
  const alarms = points.filter(({ alarm }) => alarm)
  const name = metricTitle(metric)
  const level = (value: number) => levelOf(value, metric)
  const parts = [
    ...changes.map(
      ({ run, before, after, p }) =>
        `${name} went from ${level(before)} to ${level(after)} at run ${run} (${pValue(p)}).`,
    ),
    ...(alarms.length > 0 ? [`Worse than the baseline: ${alarms.map(({ run }) => `run ${run}`).join(", ")}.`] : []),
  ]
  if (points.length < 2) return `One run so far: whether ${name} changes shows from the second on.`
  const count = points.filter(({ figure }) => figure.status === "known").length
  if (count < 2)
    return `${name} is known of ${count === 1 ? "one" : "none"} of ${points.length} runs: whether it changes cannot be told.`
  if (newest !== null)
    parts.push(`Whether ${name} changed${parts.length > 0 ? " since" : ""} cannot be told: ${newest}.`)
  if (parts.length > 0) return parts.join(" ")
  const others = points.length - compared.size
  return `${name} shows no change over ${compared.size} runs${others === 0 ? "" : `; of ${others} more it cannot be told`}.`
}

/** How a latency or a cost went over the runs; null where there is nothing to say. */
export function operationSentence(
  figure: string,
  unit: string,
  changes: OperationTrend["changes"],
  runs: number,
): string | null {
  if (runs > 1 && runs < minShiftValues)
    return `Whether ${figure} changed cannot be told from ${runs} runs: it takes ${minShiftValues}.`
  if (changes.length === 0) return null
  return changes
    .map(
      ({ run, before, after, p }) =>
        `${figure} went from ${amount(before)} to ${amount(after)} ${unit} at run ${run} (${pValue(p)}).`,
    )
    .join(" ")
}

/** Why the newest run cannot be compared with the baseline run. */
export function reachReason(newest: TrendPoint, baseline: TrendPoint, units: number, needed: number): string {
  if (newest === baseline) return `no run came after the baseline run ${baseline.run}`
  const { comparison } = newest
  const unit = comparison?.clusters == null ? "sample" : "group of samples"
  const both = units > 0 ? units : (comparison?.pairs ?? 0)
  return `run ${newest.run} has ${counted(both, unit)} in common with the baseline run ${baseline.run}, and it takes ${needed} for any loss to show`
}

/** Changes over runs. */
export const trendWords = {
  availability: (before: string, after: string, run: string, p: string) =>
    `The share of requests that were answered went from ${before} to ${after} at run ${run} (${p}).`,
} as const
