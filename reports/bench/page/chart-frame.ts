import type { Chart, ChartSeries } from "./chart.ts"

/** Where values are drawn: the plot lies between `left` and `right`, `ceiling` and `floor`. */
export interface Frame {
  readonly right: number
  /** All positions across, ascending. */
  readonly xs: readonly number[]
  readonly yTicks: readonly number[]
  /** Objectives that lie inside. */
  readonly objectives: NonNullable<Chart["horizontals"]>
  x(value: number): number
  y(value: number): number
}

export const height = 250
export const left = 44
export const ceiling = 22
export const floor = 208

/** The scales of a chart. */
export function frameOf(chart: Chart, drawn: readonly ChartSeries[], right: number): Frame {
  const { xScale, yScale, horizontals = [], yMax } = chart
  const points = drawn.flatMap((series) => series.points)
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const transform = (value: number) => (xScale === "doubling" ? Math.log2(value) : value)
  const from = xScale === "doubling" ? transform(xs[0] as number) : Math.min(0, xs[0] as number)
  const to = transform(xs.at(-1) as number)
  const largest = points.reduce((most, { y, high }) => Math.max(most, y, boundedBy(high, y)), 0)
  // An objective far above what was measured would flatten the lines.
  const near = horizontals.map(({ y }) => y).filter((y) => y <= largest * 3)
  const highest = yMax ?? Math.max(largest, ...near)
  const isLogarithmic = yScale === "logarithmic" && points.every(({ y }) => y > 0)
  const yTicks = isLogarithmic
    ? powerTicks(
        points.map(({ y }) => y),
        highest,
      )
    : niceTicks(highest)
  const scaled = (value: number) => (isLogarithmic ? Math.log(value) : value)
  const lowest = scaled(yTicks[0] as number)
  const top = yTicks.at(-1) as number
  return {
    right,
    xs,
    yTicks,
    objectives: horizontals.filter(({ y }) => y <= top),
    x: (value) => left + ((transform(value) - from) / (to - from || 1)) * (right - left),
    y: (value) => floor - ((scaled(Math.min(value, top)) - lowest) / (scaled(top) - lowest)) * (floor - ceiling),
  }
}

/** An interval that reaches far beyond its value would flatten the lines: it is drawn to the edge. */
function boundedBy(high: number | null | undefined, y: number): number {
  return Math.min(high ?? 0, y * 2)
}

/**
 * Three to five round numbers from 0 to at least `largest`.
 *
 * @example niceTicks(830) // [0, 200, 400, 600, 800, 1000]
 */
export function niceTicks(largest: number): readonly number[] {
  const top = largest > 0 ? largest : 1
  const power = 10 ** Math.floor(Math.log10(top / 4))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => top / size <= 5) ?? power * 10
  return Array.from({ length: Math.ceil(top / step - 1e-9) + 1 }, (_, i) => i * step)
}

/** Powers of ten and their doubles and fives, from at most the smallest value to at least `largest`. */
function powerTicks(values: readonly number[], largest: number): readonly number[] {
  const smallest = Math.min(...values)
  const powers = Array.from({ length: 24 }, (_, i) => 10 ** (i - 8))
  const ticks = powers.flatMap((power) => [power, 2 * power, 5 * power])
  const from = ticks.findLastIndex((tick) => tick <= smallest)
  const to = ticks.findIndex((tick) => tick >= largest)
  return ticks.slice(Math.max(0, from), to + 1)
}
