import type { MetricRowsOfVariant } from "../src/core/metric/metric.ts"
import type { Figure } from "../src/core/report/figure.ts"
import type { ReportSection, TableData } from "../src/core/report/report-sections.ts"
import { isPanelRow } from "../src/core/report/section-judge.ts"
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
  const data: TableData = {
    columns: [
      { title: "variant" },
      { title: "judge" },
      { title: "shown first only", unit: "share" },
      { title: "both orders", unit: "share" },
      { title: "at equal length", unit: "share" },
      { title: "contradicting orders", unit: "count" },
      { title: "pairs", unit: "count" },
    ],
    rows: compared.map(({ variant, judge, pairs, rates }) => [
      variant,
      judge,
      figureOf(rates.raw),
      figureOf(rates.bothOrders),
      figureOf(rates.lengthControlled),
      rates.inconsistent,
      pairs,
    ]),
  }
  return {
    kind: "win_rate",
    title: `Win rates of ${metric}`,
    sentences: compared.map(
      ({ variant, judge, rates }) =>
        `${variant} wins ${percent(rates.bothOrders.value)} by ${judge} in both orders${range(rates.bothOrders)}; ${percent(rates.lengthControlled.value)} at equal length${range(rates.lengthControlled)}.`,
    ),
    data: JSON.parse(JSON.stringify(data)) as TableData,
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
