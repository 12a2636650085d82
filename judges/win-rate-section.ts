import type { MetricRowsOfVariant } from "../src/core/metric/metric.ts"
import type { Figure } from "../src/core/report/figure.ts"
import type { ReportSection } from "../src/core/report/report-sections.ts"
import { isPanelRow } from "../src/core/report/section-judge.ts"
import { tableData } from "../src/core/report/table-data.ts"
import { toJson } from "../src/core/report/to-json.ts"
import { byText } from "../src/stats/order.ts"
import type { BootstrappedStatistic } from "../src/stats/resampling/items-bootstrap.ts"
import { type JudgedPair, winRates } from "./win-rates.ts"

/** Seed of the section's bootstrap; the method of every figure says it. */
const seed = 42

/**
 * The win rates of a pairwise judge or panel, a row per variant and judge: in one order only, in both, and as if all answers
 * were equally long. Null when nothing was compared.
 */
export function winRateSection(metric: string, variants: readonly MetricRowsOfVariant[]): ReportSection | null {
  const compared = variants.flatMap(({ variant, rows }) => {
    const byJudge = new Map<string, JudgedPair[]>()
    for (const { sampleId, measured } of rows) {
      if (measured.status !== "scored" || !isPanelRow(measured.row)) continue
      const { members, answerCharacters } = measured.row
      for (const { judge, orders, otherCharacters } of members)
        for (const { first, second } of orders ?? []) {
          if (first === null || second === null || otherCharacters === undefined) continue
          const pairs = byJudge.get(judge) ?? []
          byJudge.set(judge, pairs)
          const lengths = { candidateCharacters: answerCharacters, baselineCharacters: otherCharacters }
          pairs.push({ sampleId, first, second, ...lengths })
        }
    }
    return [...byJudge]
      .sort(([a], [b]) => byText(a, b))
      .map(([judge, pairs]) => ({ variant, judge, pairs: pairs.length, rates: winRates(pairs, seed) }))
  })
  if (compared.length === 0) return null
  const data = tableData(compared, [
    ["variant", ({ variant }) => variant],
    ["judge", ({ judge }) => judge],
    ["shown first only", ({ rates }) => figureOf(rates.raw), "share"],
    ["both orders", ({ rates }) => figureOf(rates.bothOrders), "share"],
    ["at equal length", ({ rates }) => figureOf(rates.lengthControlled), "share"],
    ["contradicting orders", ({ rates }) => rates.inconsistent, "count"],
    ["pairs", ({ pairs }) => pairs, "count"],
  ])
  return {
    kind: "win_rate",
    title: `Win rates of ${metric}`,
    sentences: compared.map(
      ({ variant, judge, rates }) =>
        `${variant} wins ${percent(rates.bothOrders.value)} by ${judge} in both orders${range(rates.bothOrders)}; ${percent(rates.lengthControlled.value)} at equal length${range(rates.lengthControlled)}.`,
    ),
    data: toJson(data),
  }
}

function figureOf({ value, low, high, n, method }: BootstrappedStatistic): Figure {
  return { status: "known", value, low, high, n, method }
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}

function range({ low, high }: BootstrappedStatistic): string {
  return low === null || high === null ? "" : ` (between ${percent(low)} and ${percent(high)})`
}
