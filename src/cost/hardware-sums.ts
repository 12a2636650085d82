import type { HardwarePrice } from "../core/cost.ts"
import { type Figure, figureValue, type KnownFigure } from "../core/report/figure.ts"
import { inverseToRate } from "../stats/intervals/inverse-to-rate.ts"
import { costMethods, costReasons } from "../words/reasons/cost.ts"
import { CompensatedSum, type CostEntries } from "./cost-entries.ts"
import { type CostSums, costSums, scaledCost } from "./cost-sums.ts"
import { statedRequests, statesCapacity, usdPerBusySecond, usdPerMillionTokens } from "./hardware.ts"

/** What hardware that is paid by the hour brings in a second, as it was measured, with its interval. @experimental */
export interface HardwareRates {
  readonly tokensPerSecond: Figure
  /** Requests that were sent; without it nobody knows how sure the cost of a query is. */
  readonly sentPerSecond?: Figure
  /** Sum of how correct the answers are. */
  readonly correctPerSecond?: Figure
  /** Mean number of requests in flight meanwhile. */
  readonly inFlight?: number | null
}

/**
 * The sums of hardware at the capacity that its price states; else as unsure as the throughput is that they follow from: a query's cost as the requests of a second are, that of a
 * correct answer as the correct answers of a second are.
 */
export function hardwareSums(
  entries: CostEntries,
  price: HardwarePrice,
  rates: HardwareRates,
  facts: { readonly durationMs: number | null; readonly idleMeasured: boolean; readonly alpha: number },
): CostSums {
  const { entries: priced, method, isAtThroughput } = byHardware(entries, price, rates, facts)
  const figures = costSums(priced, [], method, facts.alpha)
  const requests = statedRequests(price)
  if (requests && requests.low !== undefined) {
    // Every query costs the same: only the cost of a correct answer varies with the answers, too.
    const widened = (figure: Figure) => widenedBy(figure, requests)
    const { totalUsd, failedUsd, perQueryUsd, perThousandUsd, perCorrectUsd } = figures
    const sums = { totalUsd: widened(totalUsd), failedUsd: widened(failedUsd), perQueryUsd: widened(perQueryUsd) }
    const perCorrect =
      perCorrectUsd.status === "known" ? widenedBy(perCorrectUsd, requests, perCorrectUsd) : perCorrectUsd
    return { ...figures, ...sums, perThousandUsd: widened(perThousandUsd), perCorrectUsd: perCorrect }
  }
  if (statesCapacity(price)) return figures
  const perQueryUsd = perRate(figures.perQueryUsd, rates.sentPerSecond, method)
  // What was paid for the run's own time is exact.
  const ofTotal = (figure: Figure) => (isAtThroughput ? perRate(figure, rates.tokensPerSecond, method) : figure)
  return {
    ...figures,
    totalUsd: ofTotal(figures.totalUsd),
    failedUsd: ofTotal(figures.failedUsd),
    perQueryUsd,
    perThousandUsd: scaledCost(perQueryUsd, 1000),
    perCorrectUsd: perRate(figures.perCorrectUsd, rates.correctPerSecond, costMethods.perCorrectOnHardware(method)),
  }
}

/** What is shared out has no error of its own: how much a query costs varies with the time that it takes, which the rate has seen. */
function perRate(figure: Figure, rate: Figure | undefined, method: string): Figure {
  if (figure.status === "unknown") return figure
  const { low: _low, high: _high, ...exact } = figure
  return inverseToRate({ ...exact, method }, rate)
}

/** A cost as unsure as the rate is that it was shared out over; with an interval of its own both at their ends. */
function widenedBy(
  figure: Figure,
  { value: rate, low, high }: KnownFigure,
  own: Pick<KnownFigure, "low" | "high"> = {},
): Figure {
  if (figure.status === "unknown") return figure
  const { low: least = figure.value, high: largest = figure.value } = own
  return {
    ...figure,
    low: high == null || least === null ? null : (least * rate) / high,
    high: low == null || largest === null ? null : (largest * rate) / low,
  }
}

/** Shares the hardware's price out at its stated capacity, by output tokens at the measured throughput, else by the time that the run took. */
function byHardware(
  entries: CostEntries,
  price: HardwarePrice,
  { tokensPerSecond: throughput, inFlight = null }: HardwareRates,
  { durationMs, idleMeasured }: { readonly durationMs: number | null; readonly idleMeasured: boolean },
): { readonly entries: CostEntries; readonly method: string; readonly isAtThroughput: boolean } {
  const requests = statedRequests(price)
  if (requests) {
    const usd = new Float64Array(entries.length).fill(usdPerBusySecond(price) / requests.value)
    return {
      method: requests.method,
      entries: onHardware(entries, usd, costReasons.noHardwareUse),
      isAtThroughput: false,
    }
  }
  const tokensPerSecond = price.tokensPerSecond ?? figureValue(throughput)
  if (tokensPerSecond !== null && tokensPerSecond > 0) {
    const usdPerToken = usdPerMillionTokens(price, tokensPerSecond) / 1e6
    const method =
      price.tokensPerSecond === undefined
        ? costMethods.atThroughput(tokensPerSecond, inFlight, idleMeasured)
        : costMethods.statedCapacity
    // Of tokens that were not counted, NaN, which is an unknown cost.
    const usd = entries.tokens().map((tokens) => tokens * usdPerToken)
    return { method, entries: onHardware(entries, usd, costReasons.noTokenCount), isAtThroughput: true }
  }
  const each =
    durationMs === null ? Number.NaN : (usdPerBusySecond(price) * durationMs) / 1000 / Math.max(1, entries.length)
  return {
    method: costMethods.overDuration,
    entries: onHardware(entries, new Float64Array(entries.length).fill(each), costReasons.noHardwareUse),
    isAtThroughput: false,
  }
}

function onHardware(entries: CostEntries, usd: Float64Array, reason: string): CostEntries {
  return {
    ...entries,
    usd,
    reason,
    atLeastUsd: () => usd.map((cost) => (Number.isNaN(cost) ? 0 : cost)),
    failedUsd: entries.failedUsd.map((cost) => (Number.isNaN(cost) ? cost : 0)),
    parts: new Map([["hardware", compensated(usd)]]),
  }
}

function compensated(values: Float64Array): CompensatedSum {
  const total = new CompensatedSum()
  for (const value of values) total.add(value)
  return total
}
