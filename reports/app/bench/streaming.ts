import { figureValue } from "../../../src/core/report/figure.ts"
import type { BenchLevel } from "../../../src/perf/bench/bench-level.ts"
import type { BenchResult } from "../../../src/perf/bench/bench-result.ts"
import { readingSpeed, timeToTokens } from "../../../src/perf/time-to-tokens.ts"
import { count, counted } from "../../../src/words/number.ts"
import type { Curve, CurvesFigure } from "../charts/curves.ts"
import { byVariant, loadLabel } from "./load-axis.ts"

/** Time to the N-th token, beside the speed at which people read, with the crossover between variants. */
export function tokenFigure(result: BenchResult): CurvesFigure {
  const series = byVariant(result.levels).flatMap(({ variant, color, levels }, _, all): Curve[] => {
    // The lightest and the heaviest load say how much the lines spread; more lines would hide each other.
    const shown = levels.length > 1 ? [levels[0], levels.at(-1)] : levels
    return shown.flatMap((level, i) => {
      const line = level ? lineOf(level) : null
      const points = line ? marks.map((tokens) => ({ x: tokens, y: timeToTokens(line, tokens) / 1000 })) : []
      const name = level ? `${all.length > 1 ? `${variant}, ` : ""}load ${loadLabel(level)}` : variant
      return [{ name, color, dashed: i > 0, points }]
    })
  })
  const crossing = result.crossovers[0]
  const yMax = axisOf(series)
  return {
    title: "Time to N tokens, in seconds",
    note: `A line inside or above the band streams more slowly than a person reads.${continued(result)}`,
    xLabel: "tokens",
    yLabel: "seconds",
    series: series.map((curve) => ({ ...curve, points: cutAt(curve.points, yMax) })),
    ...(crossing && crossing.tokens <= longest
      ? { verticals: [{ x: crossing.tokens, label: `crossover at ${count(crossing.tokens)}` }] }
      : {}),
    band: {
      label: `people read ${readingSpeed.low} to ${readingSpeed.high} tokens a second`,
      // Finely enough that it is cut straight where it leaves the chart.
      points: Array.from({ length: longest + 1 }, (_, n) => [n, n / readingSpeed.high, n / readingSpeed.low]),
    },
    yMax,
  }
}

/** A rising line up to where it leaves the chart. */
function cutAt(points: Curve["points"], yMax: number): Curve["points"] {
  const first = points.findIndex(({ y }) => y > yMax)
  const [before, after] = [points[first - 1], points[first]]
  if (!before || !after) return first === 0 ? [] : points
  const share = (yMax - before.y) / (after.y - before.y)
  return [...points.slice(0, first), { x: before.x + share * (after.x - before.x), y: yMax }]
}

/** Says from where on the lines are the formula's and not of answers that were measured. */
function continued({ levels }: BenchResult): string {
  // A load of which nothing was answered has none, nor have results of earlier versions.
  const measured = Math.max(0, ...levels.map(({ speed }) => speed.longestTokens ?? 0))
  return measured > 0 && measured < longest
    ? ` The longest answer measured has ${counted(measured, "token")}: beyond it the lines are continued.`
    : ""
}

/** High enough for the lines; the band is cut where they are far below it, and they are where it is far below them. */
function axisOf(series: readonly Curve[]): number {
  const slowest = Math.max(0, ...series.flatMap(({ points }) => points.map(({ y }) => y)))
  return Math.max(5, Math.min(3 * slowest, (3 * longest) / readingSpeed.low))
}

function lineOf({ speed }: BenchLevel): { readonly ttftMs: number; readonly tpotMs: number } | null {
  const ttftMs = figureValue(speed.ttftMs.p50)
  const tpotMs = figureValue(speed.tpotMs.p50)
  return ttftMs === null || tpotMs === null ? null : { ttftMs, tpotMs }
}

/** What happened second by second at each variant's heaviest load. */
export function timeFigures(result: BenchResult): readonly CurvesFigure[] {
  return byVariant(result.levels).flatMap(({ variant, color, levels }) => {
    const level = levels.at(-1)
    const seconds = level ? wholeSeconds(level) : []
    // What lasted less than two seconds has no course.
    if (!level || seconds.length < 2) return []
    const line = (name: string, pick: (second: Second) => number): Curve => ({
      name,
      color,
      points: seconds.map((second) => ({ x: second.second, y: pick(second) })),
    })
    const where = `${variant} at load ${loadLabel(level)}`
    return [
      {
        title: `Tokens, second by second`,
        note: `${where}: throughput over the load.`,
        xLabel: "seconds",
        yLabel: "tokens in that second",
        series: [line("tokens", ({ tokens }) => tokens)],
      },
      {
        title: `Requests, second by second`,
        note: `${where}: ended and failed.`,
        xLabel: "seconds",
        yLabel: "requests in that second",
        series: [line("ended", ({ ended }) => ended), { ...line("failed", ({ failed }) => failed), dashed: true }],
      },
    ]
  })
}

/** Without the last second, which the load's end cut short: a fall that is none. */
function wholeSeconds({ speed, durationMs }: BenchLevel): readonly Second[] {
  return speed.overTime.filter(({ second }) => (second + 1) * 1000 <= durationMs)
}

type Second = BenchLevel["speed"]["overTime"][number]

const longest = 400
const marks = [1, 50, 100, 200, 300, longest] as const
