import type { Cost } from "../core/cost.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import type { CostFigures } from "../core/report/report.ts"
import { mappedFrom, releaseNumbers } from "../stats/mapped-numbers.ts"
import { sum, sumOf } from "../stats/sum.ts"
import { levelText } from "../words/percent.ts"
import { costMethods, costReasons } from "../words/reasons/cost.ts"
import { CompensatedSum, type CostEntries } from "./cost-entries.ts"
import { ratioOf } from "./ratio.ts"

/** What follows from the costs of single answers. */
export type CostSums = Omit<CostFigures, "judgeUsd" | "priceSource">

/** The sums of answers, and of attempts of calls that have none; with one unknown cost among them all are unknown. */
export function costSums(entries: CostEntries, open: readonly Cost[], method: string, alpha: number): CostSums {
  const { length: n, usd, failedUsd } = entries
  const missing = usd.reduce((count, cost) => count + Number(Number.isNaN(cost)), 0)
  if (n === 0 || missing > 0) {
    const why = n === 0 ? costReasons.noAnswer : costReason(missing, entries)
    const none = unknown(why)
    return { totalUsd: none, perQueryUsd: none, perThousandUsd: none, perCorrectUsd: none, failedUsd: none }
  }
  const openUsd = sum(open.map((cost) => (cost.status === "known" ? cost.usd : Number.NaN)))
  const ones = mappedFrom(n, () => 1)
  const perQuery = ratioOf(usd, ones, `mean, Student t ${levelText(alpha)}; ${method}`, entries.units, alpha)
  releaseNumbers(ones)
  const failed = sumOf(failedUsd, (cost, i) => (Number.isNaN(cost) ? (usd[i] as number) : cost))
  const plusOpen = (value: number): Figure =>
    Number.isNaN(openUsd) ? unknown(costReasons.openAttempt) : { status: "known", value: value + openUsd, n, method }
  return {
    totalUsd: plusOpen(sum(usd)),
    perQueryUsd: perQuery,
    perThousandUsd: scaledCost(perQuery, 1000),
    perCorrectUsd: perCorrect(entries, alpha),
    failedUsd: plusOpen(failed),
    parts: partsOf(entries, Number.isNaN(openUsd) ? 0 : openUsd),
  }
}

/** Sums of the parts, by name. */
function partsOf({ parts }: CostEntries, openUsd: number): Record<string, number> {
  const names = new Set([...parts.keys(), ...(openUsd === 0 ? [] : ["failedAttempts"])])
  const amount = (name: string) =>
    (parts.get(name) ?? new CompensatedSum()).plus(name === "failedAttempts" ? openUsd : 0)
  return Object.fromEntries([...names].sort().map((name) => [name, amount(name)]))
}

/** Total / Σ correct: the whole cost, wrong and failed answers included, per 1,000 correct answers. */
function perCorrect(entries: CostEntries, alpha: number): Figure {
  const { length, usd } = entries
  const unscored = entries.correct.reduce((count, score) => count + Number(Number.isNaN(score)), 0)
  if (unscored === length) return unknown(costReasons.noCorrectness)
  const correct = mappedFrom(length, (i) => {
    const score = entries.correct[i] as number
    return Number.isNaN(score) ? 0 : score
  })
  if (sum(correct) === 0) return unknown(costReasons.noneCorrect)
  const method = costMethods.perCorrect(alpha)
  const figure = ratioOf(usd, correct, method, entries.units, alpha)
  releaseNumbers(correct)
  if (figure.status === "unknown" || unscored === 0) return figure
  return { ...figure, warning: costMethods.someUnscored(unscored, length) }
}

/** A figure times a factor, its interval too. */
export function scaledCost(figure: Figure, factor: number): Figure {
  if (figure.status === "unknown") return figure
  const times = (bound: number | null | undefined) => (bound == null ? null : bound * factor)
  return { ...figure, value: figure.value * factor, low: times(figure.low), high: times(figure.high) }
}

function costReason(missing: number, { length, reason, atLeastUsd, usd }: CostEntries): string {
  const why = missing < length ? costReasons.someUnknown(missing, length, reason) : reason
  const bounds = atLeastUsd()
  const hasBound = bounds.some((bound, i) => bound > 0 && Number.isNaN(usd[i]))
  return hasBound ? costReasons.atLeast(why, sum(bounds)) : why
}
