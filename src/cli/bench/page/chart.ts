import { count, significant } from "../../../../reports/format/number.ts"
import { escapeHtml } from "./escape-html.ts"

/** A point of a line; `low` and `high` draw its interval, `label` stands beside it. */
export interface ChartPoint {
  readonly x: number
  readonly y: number
  readonly low?: number | null
  readonly high?: number | null
  readonly label?: string
}

/** A line of a chart. Lines of the same `color` belong together. */
export interface ChartSeries {
  readonly name: string
  readonly color: number
  readonly dashed?: boolean
  readonly points: readonly ChartPoint[]
}

/** Lines over one axis, with what they are held against. */
export interface Chart {
  readonly title: string
  /** One sentence: how to read it. */
  readonly note: string
  readonly xLabel: string
  readonly yLabel: string
  readonly xScale?: "linear" | "doubling"
  readonly yScale?: "linear" | "logarithmic"
  readonly series: readonly ChartSeries[]
  /** Objectives. */
  readonly horizontals?: readonly { readonly y: number; readonly label: string }[]
  /** Where something happens. */
  readonly verticals?: readonly { readonly x: number; readonly label: string }[]
  /** What lies between two lines, such as how fast people read. */
  readonly band?: {
    readonly label: string
    readonly points: readonly (readonly [x: number, low: number, high: number])[]
  }
  /** Largest value of the axis; absent: the largest value drawn. */
  readonly yMax?: number
}

/**
 * A chart as a figure with its legend; empty when no line has two points.
 *
 * @param shape `wide` takes two columns where there is room for them, and is drawn for that width beside the narrow one
 */
export function chartFigure(chart: Chart, shape: "narrow" | "wide" = "narrow"): string {
  const drawn = chart.series.filter(({ points }) => points.length > 1)
  if (drawn.length === 0) return ""
  const keys = drawn.map(
    ({ name, color, dashed }) =>
      `<li><i class="c${color % colors}${dashed ? " dashed" : ""}"></i>${escapeHtml(name)}</li>`,
  )
  const band = chart.band ? `<li><i class="band"></i>${escapeHtml(chart.band.label)}</li>` : ""
  return (
    `<figure${shape === "wide" ? ' class="wide"' : ""}><figcaption><b>${escapeHtml(chart.title)}</b> ${escapeHtml(chart.note)}</figcaption>` +
    `<ul class="legend">${keys.join("")}${band}</ul>` +
    `${shape === "wide" ? svgOf(chart, drawn, wideWidth) : ""}${svgOf(chart, drawn, narrowWidth)}</figure>`
  )
}

function svgOf(chart: Chart, drawn: readonly ChartSeries[], width: number): string {
  const scale = scalesOf(chart, drawn, width - margin)
  const { right } = scale
  return (
    `<svg class="w${width}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(chart.title)}">` +
    gridOf(scale) +
    ticksOf(chart, scale) +
    bandOf(chart, scale) +
    referencesOf(chart, scale) +
    drawn.map((series) => lineOf(series, chart, scale)).join("") +
    `<text x="${left}" y="12">${escapeHtml(chart.yLabel)}</text>` +
    `<text x="${right}" y="${height - 2}" text-anchor="end">${escapeHtml(chart.xLabel)}</text></svg>`
  )
}

interface Scales {
  readonly right: number
  readonly xs: readonly number[]
  readonly yTicks: readonly number[]
  x(value: number): number
  y(value: number): number
}

function scalesOf(chart: Chart, drawn: readonly ChartSeries[], right: number): Scales {
  const { xScale, yScale, horizontals = [], yMax } = chart
  const points = drawn.flatMap((series) => series.points)
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const transform = (value: number) => (xScale === "doubling" ? Math.log2(value) : value)
  const from = xScale === "doubling" ? transform(xs[0] as number) : Math.min(0, xs[0] as number)
  const to = transform(xs.at(-1) as number)
  const largest = points.reduce((most, { y, high }) => Math.max(most, y, boundedBy(high, y)), 0)
  // An objective far above what was measured would flatten the lines.
  const objectives = horizontals.map(({ y }) => y).filter((y) => y <= largest * 3)
  const highest = yMax ?? Math.max(largest, ...objectives)
  const isLogarithmic = yScale === "logarithmic" && points.every(({ y }) => y > 0)
  const yTicks = isLogarithmic
    ? powerTicks(
        points.map(({ y }) => y),
        highest,
      )
    : niceTicks(highest)
  const height = (value: number) => (isLogarithmic ? Math.log(value) : value)
  const lowest = height(yTicks[0] as number)
  const top = yTicks.at(-1) as number
  return {
    right,
    xs,
    yTicks,
    x: (value) => left + ((transform(value) - from) / (to - from || 1)) * (right - left),
    y: (value) => bottom - ((height(Math.min(value, top)) - lowest) / (height(top) - lowest)) * (bottom - ceiling),
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

function gridOf({ yTicks, y, right }: Scales): string {
  return yTicks
    .map((value) => {
      const at = y(value).toFixed(1)
      const words = `<text x="${left - 6}" y="${Number(at) + 4}" text-anchor="end">${numberWords(value)}</text>`
      return `<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>${words}`
    })
    .join("")
}

/** All positions when they are few; round numbers of a linear axis else. */
function ticksOf({ xScale }: Chart, { xs, x }: Scales): string {
  const ticks = xScale === "doubling" ? thinned(xs) : niceTicks(xs.at(-1) as number)
  return ticks
    .filter((value) => value <= (xs.at(-1) as number) * 1.0001)
    .map(
      (value) =>
        `<text x="${x(value).toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${numberWords(value)}</text>`,
    )
    .join("")
}

function thinned(values: readonly number[]): readonly number[] {
  const every = Math.ceil(values.length / mostTicks)
  return values.filter((_, i) => i % every === 0)
}

function bandOf({ band }: Chart, { x, y }: Scales): string {
  if (!band) return ""
  const edge = (pick: (point: readonly [number, number, number]) => number) =>
    band.points.map((point) => `${x(point[0]).toFixed(1)},${y(pick(point)).toFixed(1)}`)
  const outline = [...edge(([, low]) => low), ...edge(([, , high]) => high).reverse()]
  return `<polygon class="band" points="${outline.join(" ")}"/>`
}

function referencesOf({ horizontals = [], verticals = [] }: Chart, { x, y, yTicks, right }: Scales): string {
  const shown = horizontals.filter((line) => line.y <= (yTicks.at(-1) as number))
  const across = shown.map((line) => {
    const at = y(line.y).toFixed(1)
    const above = y(line.y) > ceiling + 24
    return (
      `<line class="objective" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>` +
      `<text class="objective" x="${left + 4}" y="${Number(at) + (above ? -5 : 13)}">${escapeHtml(line.label)}</text>`
    )
  })
  const down = verticals.map((line) => {
    const at = x(line.x)
    const anchor = at > (left + right) / 2 ? "end" : "start"
    const words = `<text class="mark" x="${(at + (anchor === "end" ? -5 : 5)).toFixed(1)}" y="${bottom - 6}" text-anchor="${anchor}">${escapeHtml(line.label)}</text>`
    return `<line class="mark" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="${ceiling}" y2="${bottom}"/>${words}`
  })
  return [...across, ...down].join("")
}

function lineOf({ name, color, dashed, points }: ChartSeries, chart: Chart, { x, y }: Scales): string {
  const path = points.map((point) => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" ")
  const marks = points.length > mostDots ? [] : points
  const dots = marks.map((point) => {
    const at = { x: x(point.x).toFixed(1), y: y(point.y).toFixed(1) }
    const words = `${name}: ${significant(point.y)} ${chart.yLabel} at ${numberWords(point.x)} ${chart.xLabel}`
    const label = point.label
      ? `<text class="point" x="${at.x}" y="${Number(at.y) - 8}" text-anchor="middle">${escapeHtml(point.label)}</text>`
      : ""
    return `${whiskerOf(point, at.x, y)}<circle cx="${at.x}" cy="${at.y}" r="3.2"><title>${escapeHtml(words)}</title></circle>${label}`
  })
  return `<g class="c${color % colors}${dashed ? " dashed" : ""}"><polyline points="${path}"/>${dots.join("")}</g>`
}

function whiskerOf({ low, high }: ChartPoint, x: string, y: (value: number) => number): string {
  if (low == null || high == null) return ""
  return `<line class="whisker" x1="${x}" x2="${x}" y1="${y(low).toFixed(1)}" y2="${y(high).toFixed(1)}"/>`
}

function numberWords(value: number): string {
  return Number.isInteger(value) ? count(value) : significant(value, 2)
}

const narrowWidth = 440
const wideWidth = 900
/** Right of the last point. */
const margin = 14
const height = 250
const left = 44
const ceiling = 22
const bottom = 208
const mostTicks = 9
const mostDots = 40
/** Colours that the style sheet knows. */
const colors = 6
