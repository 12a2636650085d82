import type { MetricComparison } from "../../../src/core/report/comparison.ts"
import type { RunReport } from "../../../src/core/report/report.ts"
import { counted } from "../../../src/words/number.ts"
import { levelText } from "../../../src/words/percent.ts"
import { intervalHalf } from "../interval-half.ts"
import { answersOf, type RowStore } from "./rows.ts"

/** One metric of two variants, paired over the samples of this file. */
export interface PairedDifference
  extends Pick<
    MetricComparison,
    "metric" | "direction" | "primary" | "pairs" | "difference" | "low" | "high" | "margin" | "verdict" | "sentence"
  > {
  /** Where all values are 0 or 1: both right, right to wrong, wrong to right, both wrong. */
  readonly flips: {
    readonly both: number
    readonly lost: number
    readonly won: number
    readonly neither: number
  } | null
}

/**
 * The metrics of two variants that the run did not compare, paired by sample over the answers in this file: means of
 * the differences (candidate − other) with normal intervals at the run's level, repeats averaged. Metrics without a value per answer
 * are left out.
 */
export function pairedDifferences(
  report: RunReport,
  store: RowStore,
  other: string,
  candidate: string,
): PairedDifference[] {
  const { index } = store
  const { alpha = 0.05 } = report.run
  const level = levelText(report.run.alpha)
  const [from, to] = [index.variants.indexOf(other), index.variants.indexOf(candidate)]
  return report.metrics.flatMap((metric) => {
    const values = index.answers.values[index.metrics.indexOf(metric.name)] ?? []
    const pairs = index.sampleIds.flatMap((_, sample) => {
      const a = meanValue(store, values, sample, from)
      const b = meanValue(store, values, sample, to)
      return a === null || b === null ? [] : [[a, b] as const]
    })
    if (pairs.length < 2) return []
    const { mean, half } = interval(
      pairs.map(([a, b]) => b - a),
      alpha,
    )
    const sign = metric.direction === "higher" ? 1 : -1
    const [low, high] = [mean - half, mean + half]
    const verdict =
      sign * (sign > 0 ? low : high) > 0 ? "better" : sign * (sign > 0 ? high : low) < 0 ? "inferior" : "inconclusive"
    const binary = pairs.every(([a, b]) => (a === 0 || a === 1) && (b === 0 || b === 1))
    const times = (a: number, b: number) => pairs.filter((pair) => pair[0] === a && pair[1] === b).length
    return [
      {
        metric: metric.name,
        direction: metric.direction,
        primary: metric.primary,
        pairs: pairs.length,
        difference: mean,
        low,
        high,
        margin: marginOf(report, metric.name),
        verdict,
        sentence: `${counted(pairs.length, "pair")}, mean of the paired differences, normal ${level}`,
        flips: binary ? { both: times(1, 1), lost: times(1, 0), won: times(0, 1), neither: times(0, 0) } : null,
      },
    ]
  })
}

function meanValue(
  store: RowStore,
  values: readonly (number | null)[],
  sample: number,
  variant: number,
): number | null {
  const own = answersOf(store, sample).filter((answer) => store.index.answers.variant[answer] === variant)
  const numbers = own.flatMap((answer) => values[answer] ?? [])
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}

function interval(differences: readonly number[], alpha: number): { readonly mean: number; readonly half: number } {
  const n = differences.length
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / n
  const variance = differences.reduce((sum, difference) => sum + (difference - mean) ** 2, 0) / (n - 1)
  return { mean, half: intervalHalf(alpha) * Math.sqrt(variance / n) }
}

/** The margin that the run's own comparisons use for a metric. */
function marginOf({ comparisons }: RunReport, name: string): number {
  for (const { metrics } of comparisons) {
    const comparison = metrics.find((metric) => metric.metric === name)
    if (comparison) return comparison.margin
  }
  return 0
}
