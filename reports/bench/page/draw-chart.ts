import { count, significant } from "../../format/number.ts"
import type { Chart, ChartPoint, ChartSeries } from "./chart.ts"
import { ceiling, type Frame, floor, frameOf, height, left, niceTicks } from "./chart-frame.ts"
import { pointsOf, textsOf } from "./chart-labels.ts"
import { escapeHtml } from "./escape-html.ts"

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
    `${shape === "wide" ? svgOf(chart, drawn, "desk") : ""}${svgOf(chart, drawn, "phone")}</figure>`
  )
}

function svgOf(chart: Chart, drawn: readonly ChartSeries[], size: keyof typeof widths): string {
  const width = widths[size]
  const frame = frameOf(chart, drawn, width - margin)
  return (
    `<svg class="${size}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(chart.title)}">` +
    gridOf(frame) +
    ticksOf(chart, frame) +
    bandOf(chart, frame) +
    referencesOf(chart, frame) +
    drawn.map((series) => lineOf(series, chart, frame)).join("") +
    textsOf(chart, drawn, frame)
      .map(
        ({ text, x, y, anchor, kind }) =>
          `<text class="${kind}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escapeHtml(text)}</text>`,
      )
      .join("") +
    `<text x="${left}" y="12">${escapeHtml(chart.yLabel)}</text>` +
    `<text x="${frame.right}" y="${height - 2}" text-anchor="end">${escapeHtml(chart.xLabel)}</text></svg>`
  )
}

function gridOf({ yTicks, y, right }: Frame): string {
  return yTicks
    .map((value) => {
      const at = y(value).toFixed(1)
      const words = `<text x="${left - 6}" y="${Number(at) + 4}" text-anchor="end">${numberWords(value)}</text>`
      return `<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>${words}`
    })
    .join("")
}

/** The positions themselves on a doubling axis, round numbers on a linear one (whole ones of counts); as many as have room. */
function ticksOf({ xScale }: Chart, { xs, x }: Frame): string {
  const most = xs.at(-1) as number
  const isCounted = xs.every(Number.isInteger)
  const round = niceTicks(most).filter((value) => value <= most * 1.0001 && (!isCounted || Number.isInteger(value)))
  const ticks = xScale === "doubling" ? xs : round
  let freeFrom = Number.NEGATIVE_INFINITY
  return ticks
    .map((value) => {
      const words = numberWords(value)
      const half = 3.5 * words.length
      if (x(value) - half < freeFrom) return ""
      freeFrom = x(value) + half + 4
      return `<text x="${x(value).toFixed(1)}" y="${floor + 16}" text-anchor="middle">${words}</text>`
    })
    .join("")
}

function bandOf({ band }: Chart, { x, y }: Frame): string {
  if (!band) return ""
  const edge = (pick: (point: readonly [number, number, number]) => number) =>
    band.points.map((point) => `${x(point[0]).toFixed(1)},${y(pick(point)).toFixed(1)}`)
  const outline = [...edge(([, low]) => low), ...edge(([, , high]) => high).reverse()]
  return `<polygon class="band" points="${outline.join(" ")}"/>`
}

function referencesOf({ verticals = [] }: Chart, { x, y, right, objectives }: Frame): string {
  const across = objectives.map((line) => {
    const at = y(line.y).toFixed(1)
    return `<line class="objective" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/>`
  })
  const down = verticals.map((line) => {
    const at = x(line.x).toFixed(1)
    return `<line class="mark" x1="${at}" x2="${at}" y1="${ceiling}" y2="${floor}"/>`
  })
  return [...across, ...down].join("")
}

function lineOf(series: ChartSeries, chart: Chart, frame: Frame): string {
  const { name, color, dashed, points } = series
  const places = pointsOf(series, frame)
  const path = places.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")
  const marks = points.length > mostDots ? [] : points
  const dots = marks.map((point, i) => {
    const [x, y] = places[i] as readonly [number, number]
    const words = `${name}: ${significant(point.y)} ${chart.yLabel} at ${numberWords(point.x)} ${chart.xLabel}`
    return `${whiskerOf(point, x, frame)}<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.2"><title>${escapeHtml(words)}</title></circle>`
  })
  return `<g class="c${color % colors}${dashed ? " dashed" : ""}"><polyline points="${path}"/>${dots.join("")}</g>`
}

function whiskerOf({ low, high }: ChartPoint, x: number, { y }: Frame): string {
  if (low == null || high == null) return ""
  const at = x.toFixed(1)
  return `<line class="whisker" x1="${at}" x2="${at}" y1="${y(low).toFixed(1)}" y2="${y(high).toFixed(1)}"/>`
}

function numberWords(value: number): string {
  return Number.isInteger(value) ? count(value) : significant(value, 2)
}

/** Drawn about as wide as it is shown, so that its texts keep their size. */
const widths = { phone: 360, desk: 800 } as const
/** Right of the last point. */
const margin = 14
const mostDots = 40
/** Colours that the style sheet knows. */
const colors = 6
