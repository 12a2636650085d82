import { count, significant } from "../../../reports/format/number.ts"
import { escapeHtml } from "./escape-html.ts"

/** Lines over one axis. */
export interface LineChart {
  readonly title: string
  readonly xLabel: string
  readonly logarithmic?: boolean
  readonly series: readonly { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] }[]
}

/** A line chart as SVG with direct labels and a title on every point; empty when no series has two points. */
export function lineChart({ title, xLabel, logarithmic = false, series }: LineChart): string {
  const drawn = series.filter(({ points }) => points.length > 1)
  if (drawn.length === 0) return ""
  const scale = (value: number) => (logarithmic ? Math.log2(value) : value)
  const xs = drawn.flatMap(({ points }) => points.map(([x]) => x))
  const highest = drawn.reduce((most, { points }) => Math.max(most, ...points.map(([, y]) => y)), 0) || 1
  const from = scale(xs.reduce((least, x) => Math.min(least, x)))
  const to = scale(xs.reduce((most, x) => Math.max(most, x)))
  const atX = (x: number) => (left + ((scale(x) - from) / (to - from || 1)) * (right - left)).toFixed(1)
  const atY = (y: number) => (bottom - (y / highest) * (bottom - top)).toFixed(1)
  const labels = apart(drawn.map(({ points }) => Number(atY((points.at(-1) as readonly [number, number])[1])) + 4))
  const lines = drawn.map(({ name, points }, i) => {
    const color = palette[i % palette.length] as string
    const path = points.map(([x, y]) => `${atX(x)},${atY(y)}`).join(" ")
    const [lastX] = points.at(-1) as readonly [number, number]
    const dots = points.length > mostDots ? "" : points.map(([x, y]) => dot(name, x, y)).join("")
    return (
      `<g fill="${color}" stroke="${color}"><polyline points="${path}" fill="none" stroke-width="2"/>${dots}</g>` +
      `<text x="${Number(atX(lastX)) + 8}" y="${labels[i]}">${escapeHtml(name)}</text>`
    )
  })
  function dot(name: string, x: number, y: number): string {
    const words = `${escapeHtml(name)}: ${significant(y)} at ${numberWords(x)} ${escapeHtml(xLabel)}`
    return `<circle cx="${atX(x)}" cy="${atY(y)}" r="3"><title>${words}</title></circle>`
  }
  const grid = [0.5, 1].map((share) => {
    const y = atY(highest * share)
    const line = `<line x1="${left}" x2="${right}" y1="${y}" y2="${y}" stroke="currentColor" opacity=".15"/>`
    return `${line}<text x="${left - 8}" y="${Number(y) + 4}" text-anchor="end">${significant(highest * share)}</text>`
  })
  const ticks = ticksOf(xs).map(
    (x) => `<text x="${atX(x)}" y="${bottom + 18}" text-anchor="middle">${numberWords(x)}</text>`,
  )
  return (
    `<svg viewBox="0 0 700 290" role="img" aria-label="${escapeHtml(title)}"><text x="${left}" y="14">${escapeHtml(title)}</text>` +
    `${grid.join("")}${lines.join("")}${ticks.join("")}` +
    `<text x="${right}" y="${bottom + 34}" text-anchor="end">${escapeHtml(xLabel)}</text></svg>`
  )
}

/** Heights of labels, moved down where they would cover each other. */
function apart(heights: readonly number[]): readonly number[] {
  const moved = [...heights]
  let next = Number.NEGATIVE_INFINITY
  for (const i of heights.map((_, index) => index).sort((a, b) => (heights[a] as number) - (heights[b] as number))) {
    moved[i] = Math.max(heights[i] as number, next)
    next = (moved[i] as number) + labelHeight
  }
  return moved
}

function numberWords(value: number): string {
  return Number.isInteger(value) ? count(value) : significant(value)
}

/** All different positions when they are few, else the ends and the middle. */
function ticksOf(xs: readonly number[]): readonly number[] {
  const all = [...new Set(xs)].sort((a, b) => a - b)
  if (all.length <= mostTicks) return all
  return [all[0], all[Math.floor(all.length / 2)], all.at(-1)] as readonly number[]
}

const left = 70
const right = 560
const top = 30
const bottom = 245
const labelHeight = 14
const mostTicks = 9
const mostDots = 60
/** Okabe & Ito: told apart by everyone. */
const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"] as const
