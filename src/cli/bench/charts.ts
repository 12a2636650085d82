import { figureValue } from "../../core/figure.ts"
import type { BenchLevel } from "../../engine/bench/measure-level.ts"
import { timeToTokens } from "../../perf/time-to-tokens.ts"
import { lineChart } from "./line-chart.ts"
import { loadWords } from "./load-words.ts"

/** Throughput and latency against load, the time to N tokens, and the run second by second; what there is data for. */
export function benchCharts(levels: readonly BenchLevel[]): string {
  return [
    againstLoad(levels, "tokens per second, all requests together", ({ speed }) =>
      figureValue(speed.systemTokensPerSecond),
    ),
    againstLoad(levels, "time to first token p50, ms", ({ speed }) => figureValue(speed.ttftMs.p50)),
    lineChart({ title: "milliseconds until N tokens are there", xLabel: "tokens", series: levels.flatMap(tokenLine) }),
    ...(levels.length === 1 ? levels.map(overTime) : []),
  ].join("\n")
}

function againstLoad(levels: readonly BenchLevel[], title: string, pick: (level: BenchLevel) => number | null): string {
  const variants = new Map<string, (readonly [number, number])[]>()
  for (const level of levels) {
    const value = pick(level)
    const load = level.plan.kind === "closed" ? level.plan.concurrency : level.offeredRate
    if (value === null || load === null || load <= 0) continue
    variants.set(level.variant, [...(variants.get(level.variant) ?? []), [load, value]])
  }
  const series = [...variants].map(([name, points]) => ({ name, points: points.toSorted(([a], [b]) => a - b) }))
  const xLabel = levels[0]?.plan.kind === "closed" ? "requests in flight" : "requests per second"
  return lineChart({ title, xLabel, logarithmic: true, series })
}

function tokenLine(level: BenchLevel) {
  const ttftMs = figureValue(level.speed.ttftMs.p50)
  const tpotMs = figureValue(level.speed.tpotMs.p50)
  if (ttftMs === null || tpotMs === null) return []
  const points = tokenMarks.map((tokens) => [tokens, timeToTokens({ ttftMs, tpotMs }, tokens)] as const)
  return [{ name: `${level.variant}, ${loadWords(level)}`, points }]
}

function overTime({ speed }: BenchLevel): string {
  const line = (name: string, pick: (second: BenchLevel["speed"]["overTime"][number]) => number) => ({
    name,
    points: speed.overTime.map((second) => [second.second, pick(second)] as const),
  })
  return (
    lineChart({
      title: "tokens per second, over time",
      xLabel: "seconds",
      series: [line("tokens", ({ tokens }) => tokens)],
    }) +
    lineChart({
      title: "requests per second, over time",
      xLabel: "seconds",
      series: [line("ended", ({ ended }) => ended), line("failed", ({ failed }) => failed)],
    })
  )
}

const tokenMarks = [1, 100, 200, 300, 400, 500] as const
