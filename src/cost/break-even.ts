import type { HardwarePrice } from "../core/cost.ts"
import { type Figure, figureValue, unknown } from "../core/report/figure.ts"
import { quotientInterval } from "../stats/intervals/quotient-interval.ts"
import { costMethods, costReasons } from "../words/reasons/cost.ts"
import { hardwareUsdPerMonth, hoursPerMonth, utilisationOf } from "./hardware.ts"

/** Traffic that a bill is projected for. @experimental */
export interface Traffic {
  readonly queriesPerMonth: number
  /** Output tokens of a query, for hardware that is paid by the hour. */
  readonly outputTokensPerQuery?: number
}

/**
 * The monthly bill of an API variant: cost per query × queries, with the interval of the cost per query.
 *
 * @example monthlyApiBill({ status: "known", value: 0.002, … }, { queriesPerMonth: 1e6 }) // value 2000
 * @experimental
 */
export function monthlyApiBill(perQueryUsd: Figure, traffic: Traffic): Figure {
  if (perQueryUsd.status === "unknown") return perQueryUsd
  const times = (bound: number | null | undefined) => (bound == null ? null : bound * traffic.queriesPerMonth)
  return {
    status: "known",
    value: perQueryUsd.value * traffic.queriesPerMonth,
    low: times(perQueryUsd.low),
    high: times(perQueryUsd.high),
    n: perQueryUsd.n,
    method: costMethods.monthlyBill(traffic.queriesPerMonth),
  }
}

/**
 * The monthly bill of hardware: as many of the measured units as the traffic's tokens need at the stated utilisation,
 * each paid for the whole month. Unknown without a throughput or tokens per query.
 * @experimental
 */
export function monthlyHardwareBill(price: HardwarePrice, systemTokensPerSecond: Figure, traffic: Traffic): Figure {
  if (systemTokensPerSecond.status === "unknown" || systemTokensPerSecond.value <= 0)
    return unknown(costReasons.noThroughput)
  if (traffic.outputTokensPerQuery === undefined) return unknown(costReasons.noQueryTokens)
  const tokensPerMonth = traffic.queriesPerMonth * traffic.outputTokensPerQuery
  const unitsAt = (perSecond: number) =>
    Math.max(1, Math.ceil(tokensPerMonth / (perSecond * utilisationOf(price) * hoursPerMonth * 3600)))
  const usdAt = (perSecond: number | null | undefined) =>
    perSecond == null || perSecond <= 0 ? null : unitsAt(perSecond) * hardwareUsdPerMonth(price)
  const { value, low, high } = systemTokensPerSecond
  const units = unitsAt(value)
  return {
    status: "known",
    value: units * hardwareUsdPerMonth(price),
    ...(low !== undefined && high !== undefined && { low: usdAt(high), high: usdAt(low) }),
    n: 1,
    method: costMethods.monthlyHardware(units, utilisationOf(price)),
  }
}

/**
 * Queries a month from which one measured unit of own hardware is cheaper than the API: its monthly price / the API's
 * cost per query. Unknown when an input is, or when one unit cannot serve so many.
 *
 * @example // $2,191.50 a month against $0.002 a query: 1,095,750 queries
 * @experimental
 */
export function breakEvenQueriesPerMonth(
  apiPerQueryUsd: Figure,
  hardware: HardwarePrice,
  systemTokensPerSecond: Figure,
  outputTokensPerQuery: number,
): Figure {
  if (apiPerQueryUsd.status === "unknown") return apiPerQueryUsd
  if (apiPerQueryUsd.value <= 0) return unknown(costReasons.freeApi)
  const perSecond = figureValue(systemTokensPerSecond)
  if (perSecond === null) return unknown(costReasons.noThroughput)
  const queries = hardwareUsdPerMonth(hardware) / apiPerQueryUsd.value
  const capacity = (perSecond * utilisationOf(hardware) * hoursPerMonth * 3600) / outputTokensPerQuery
  if (queries > capacity) return unknown(costReasons.neverBreaksEven(capacity, queries))
  const { n, low, high } = apiPerQueryUsd
  const bounds =
    low === undefined || high === undefined
      ? {}
      : quotientInterval({ value: queries * apiPerQueryUsd.value }, apiPerQueryUsd)
  return { status: "known", value: queries, ...bounds, n, method: costMethods.breakEven }
}
