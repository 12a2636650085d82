import { significant } from "../../../reports/format/number.ts"
import { figureValue } from "../../core/figure.ts"
import type { BenchLevel } from "../../engine/bench/measure-level.ts"
import { escapeHtml } from "./escape-html.ts"

/** Throughput against requests in flight, one line for each variant, as SVG. Empty with fewer than two closed levels. */
export function throughputChart(levels: readonly BenchLevel[]): string {
  const points = levels.flatMap(({ plan, variant, speed }) => {
    const tokens = figureValue(speed.systemTokensPerSecond)
    return plan.kind === "closed" && tokens !== null ? [{ variant, slots: plan.concurrency, tokens }] : []
  })
  if (new Set(points.map(({ slots }) => slots)).size < 2) return ""
  const most = Math.max(...points.map(({ tokens }) => tokens))
  const widest = Math.log2(Math.max(...points.map(({ slots }) => slots)))
  const narrowest = Math.log2(Math.min(...points.map(({ slots }) => slots)))
  const x = (slots: number) => left + ((Math.log2(slots) - narrowest) / (widest - narrowest)) * (right - left)
  const y = (tokens: number) => bottom - (tokens / most) * (bottom - top)
  const variants = [...new Set(points.map(({ variant }) => variant))]
  const lines = variants.map((variant, i) => {
    const own = points.filter((point) => point.variant === variant)
    const color = palette[i % palette.length] as string
    const path = own.map(({ slots, tokens }) => `${x(slots).toFixed(1)},${y(tokens).toFixed(1)}`).join(" ")
    const dots = own.map(
      ({ slots, tokens }) =>
        `<circle cx="${x(slots).toFixed(1)}" cy="${y(tokens).toFixed(1)}" r="3.5" fill="${color}"><title>${escapeHtml(variant)}: ` +
        `${significant(tokens)} tokens/s at ${slots} in flight</title></circle>`,
    )
    const last = own.at(-1)
    const label = last ? `<text x="${x(last.slots) + 8}" y="${y(last.tokens) + 4}">${escapeHtml(variant)}</text>` : ""
    return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}${label}`
  })
  const ticks = [...new Set(points.map(({ slots }) => slots))].map(
    (slots) => `<text x="${x(slots).toFixed(1)}" y="${bottom + 18}" text-anchor="middle">${slots}</text>`,
  )
  const levelsOfThroughput = [0.5, 1].map(
    (share) =>
      `<line x1="${left}" x2="${right}" y1="${y(most * share)}" y2="${y(most * share)}" stroke="currentColor" opacity=".15"/>` +
      `<text x="${left - 8}" y="${y(most * share) + 4}" text-anchor="end">${significant(most * share)}</text>`,
  )
  return (
    `<svg viewBox="0 0 700 300" role="img" aria-label="System throughput against requests in flight">` +
    `<text x="${left}" y="14">tokens per second, all requests together</text>${levelsOfThroughput.join("")}${lines.join("")}` +
    `${ticks.join("")}<text x="${right}" y="${bottom + 36}" text-anchor="end">requests in flight</text></svg>`
  )
}

const left = 70
const right = 580
const top = 30
const bottom = 250
/** Okabe & Ito: told apart by everyone. */
const palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"] as const
