import type { HardwarePrice } from "../core/cost.ts"
import { type Figure, unknown } from "../core/report/figure.ts"
import { quotientInterval } from "../stats/intervals/quotient-interval.ts"
import { costMethods, costReasons } from "../words/reasons/cost.ts"
import { hardwareUsdPerMonth, hoursPerMonth, statedRequests, statesCapacity, utilisationOf } from "./hardware.ts"

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
 * The monthly bill of hardware: as many of its units as the traffic needs at the stated utilisation, each paid for the whole month. A unit
 * brings what its price says that it carries, else what was measured. Unknown without either, or without tokens per query.
 * @experimental
 */
export function monthlyHardwareBill(price: HardwarePrice, systemTokensPerSecond: Figure, traffic: Traffic): Figure {
  const carried = carriedQueries(price, systemTokensPerSecond, traffic.outputTokensPerQuery)
  if (carried.status === "unknown") return carried
  const unitsAt = (perSecond: number) => Math.max(1, Math.ceil(traffic.queriesPerMonth / perMonth(price, perSecond)))
  const usdAt = (perSecond: number | null | undefined) =>
    perSecond == null || perSecond <= 0 ? null : unitsAt(perSecond) * hardwareUsdPerMonth(price)
  const { value, low, high } = carried
  const units = unitsAt(value)
  return {
    status: "known",
    value: units * hardwareUsdPerMonth(price),
    ...(low !== undefined && high !== undefined && { low: usdAt(high), high: usdAt(low) }),
    n: 1,
    method: costMethods.monthlyHardware(units, utilisationOf(price), statesCapacity(price)),
  }
}

/**
 * Queries a month from which one unit of own hardware is cheaper than the API: its monthly price / the API's cost per query. Unknown when
 * an input is, or when one unit cannot serve so many: never, where its price says what it carries; open, where all that is known is what
 * it brought at the load of a run.
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
  const carried = carriedQueries(hardware, systemTokensPerSecond, outputTokensPerQuery)
  if (carried.status === "unknown") return carried
  const queries = hardwareUsdPerMonth(hardware) / apiPerQueryUsd.value
  const capacity = perMonth(hardware, carried.value)
  if (queries > capacity)
    return unknown(costReasons[statesCapacity(hardware) ? "neverBreaksEven" : "breakEvenOpen"](capacity, queries))
  const { n, low, high } = apiPerQueryUsd
  const bounds =
    low === undefined || high === undefined
      ? {}
      : quotientInterval({ value: queries * apiPerQueryUsd.value }, apiPerQueryUsd)
  return { status: "known", value: queries, ...bounds, n, method: costMethods.breakEven }
}

/** Queries a second at full load: as the price says, else as they were measured. */
function carriedQueries(price: HardwarePrice, measured: Figure, outputTokensPerQuery: number | undefined): Figure {
  const requests = statedRequests(price)
  if (requests) return requests
  if (outputTokensPerQuery === undefined) return unknown(costReasons.noQueryTokens)
  const { tokensPerSecond } = price
  if (tokensPerSecond !== undefined)
    return { status: "known", n: 1, method: costMethods.statedCapacity, value: tokensPerSecond / outputTokensPerQuery }
  if (measured.status === "unknown" || measured.value <= 0) return unknown(costReasons.noThroughput)
  const { value, low, high } = measured
  const each = (perSecond: number | null | undefined) => (perSecond == null ? null : perSecond / outputTokensPerQuery)
  const bounds = low !== undefined && high !== undefined && { low: each(low), high: each(high) }
  return { ...measured, value: value / outputTokensPerQuery, ...bounds }
}

function perMonth(price: HardwarePrice, perSecond: number): number {
  return perSecond * utilisationOf(price) * hoursPerMonth * 3600
}
