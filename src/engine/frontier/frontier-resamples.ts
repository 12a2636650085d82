import type { Random } from "../../core/random.ts"
import type { FrontierAxis } from "../../core/report/frontier.ts"
import { quantile } from "../../stats/quantile.ts"
import {
  resampleCounts,
  sortedPositions,
  weightedMean,
  weightedQuantile,
} from "../../stats/resampling/resample-counts.ts"
import { parseFigureName } from "../decide/figure-name.ts"
import type { FrontierVariant } from "./frontier-variant.ts"

/** Every axis of every variant in every resample. */
export interface AxisResamples {
  readonly variants: number
  readonly resamples: number
  readonly samples: number
  /** Values of variant i in resample r, in the axes' order. */
  point(resample: number, variant: number): number[]
  /** Values of one axis of one variant over all resamples. */
  axis(variant: number, axis: number): Float64Array
  /** Percentile interval; null where the axis is exact. */
  interval(variant: number, axis: number, alpha: number): { low: number; high: number } | null
  readonly axes: number
}

/** Draws samples jointly for all variants and axes; null when no variant has samples, or none are wanted. */
export function resampleAxes(
  axes: readonly FrontierAxis[],
  variants: readonly FrontierVariant[],
  random: Random,
  resamples: number,
  clusters?: Int32Array,
): AxisResamples | null {
  const cells = variants.flatMap((variant) =>
    axes.map((axis, k) => ({ values: variant.samples?.[k] ?? null, fixed: variant.values[k] as number, axis })),
  )
  const samples = cells.find(({ values }) => values !== null)?.values?.length ?? 0
  if (samples < 2 || resamples < 1) return null
  const columns = cells.map(() => new Float64Array(resamples))
  const statistics = cells.map(({ values, fixed, axis }) => {
    if (!values) return () => fixed
    const { statistic, q } = parseFigureName(axis.name)
    if (statistic === "mean") return (counts: Uint16Array) => weightedMean(values, counts)
    const order = sortedPositions(values)
    return (counts: Uint16Array) => weightedQuantile(values, order, counts, q)
  })
  resampleCounts(
    samples,
    resamples,
    random,
    clusters,
  )((counts, r) => {
    statistics.forEach((statistic, cell) => {
      ;(columns[cell] as Float64Array)[r] = statistic(counts)
    })
  })
  const column = (variant: number, axis: number) => columns[variant * axes.length + axis] as Float64Array
  return {
    variants: variants.length,
    axes: axes.length,
    resamples,
    samples,
    point: (r, variant) => axes.map((_, k) => column(variant, k)[r] as number),
    axis: column,
    interval(variant, axis, alpha) {
      if (!variants[variant]?.samples?.[axis]) return null
      const finite = column(variant, axis).filter(Number.isFinite)
      if (finite.length === 0) return null
      return { low: quantile(finite, alpha / 2), high: quantile(finite, 1 - alpha / 2) }
    },
  }
}
