import type { MetricRow } from "../../core/metric/metric.ts"
import { type AnyMetric, scored } from "../../core/metric/metric.ts"
import type { MetricVerdict } from "../../core/report/comparison.ts"
import { readingDoubt } from "../../wording/verdict/doubts.ts"

/** Gives the verdict that rows of two sides lead to. */
type VerdictOf = (metric: AnyMetric, baseline: readonly MetricRow[], candidate: readonly MetricRow[]) => MetricVerdict

/**
 * Why a verdict is open although the bounds settle it: the same answers, read in another way that the metric knows, lead to another one.
 * Undefined where every reading agrees, and where nothing was settled.
 */
export function readingThatTurns(
  metric: AnyMetric,
  baseline: readonly MetricRow[],
  candidate: readonly MetricRow[],
  verdict: MetricVerdict,
  verdictOf: VerdictOf,
): string | undefined {
  if (!metric.readings || verdict === "inconclusive" || verdict === "not_comparable") return undefined
  const all = [...baseline, ...candidate]
  const rows = all.flatMap(({ measured }) => (measured.status === "scored" ? [measured.row] : []))
  const readings = metric.readings(rows)
  if (readings === null) return undefined
  const { readings: _, ...plain } = metric
  const verdicts = Object.entries(readings.values).map(([name, values]) => {
    let next = 0
    const read = all.map((row): MetricRow => {
      if (row.measured.status !== "scored") return row
      const value = values[next++] as number
      return { ...row, measured: scored<unknown>(value), value }
    })
    const form: AnyMetric = { ...plain, value: (row) => (typeof row === "number" ? row : null) }
    return [name, verdictOf(form, read.slice(0, baseline.length), read.slice(baseline.length))] as const
  })
  if (verdicts.every(([, other]) => isFine(other) === isFine(verdict) && other !== "inconclusive")) return undefined
  return readingDoubt(readings.twoWays, verdicts)
}

function isFine(verdict: MetricVerdict): boolean {
  return verdict === "better" || verdict === "non_inferior"
}
