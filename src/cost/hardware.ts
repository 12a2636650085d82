import type { ElectricityPrice, HardwarePrice, OwnedPrice, Price } from "../core/cost.ts"
import type { KnownFigure } from "../core/report/figure.ts"
import { costMethods } from "../words/reasons/cost.ts"

const secondsPerHour = 3600
/** 8,766 hours a year, twelve months. @experimental */
export const hoursPerMonth = 730.5

/** Whether a price is paid for time instead of tokens. @experimental */
export function isHardwarePrice(price: Price | null): price is HardwarePrice {
  return price !== null && price.kind !== "tokens"
}

/**
 * The price of hardware whose idle time is inside the time that was measured, as under an open loop at a stated rate: its
 * utilisation is what was measured, and is not divided by again.
 *
 * @experimental
 */
export function withIdleMeasured(price: HardwarePrice): HardwarePrice {
  return price.kind === "electricity" ? price : { ...price, utilisation: 1 }
}

/** Whether a price says what its hardware carries, whatever load it was measured at. @experimental */
export function statesCapacity(price: HardwarePrice): boolean {
  return statedRequests(price) !== null || price.tokensPerSecond !== undefined
}

/** Requests a second that a price says its hardware carries, with their interval where a load test measured them; null where it does not. @experimental */
export function statedRequests({ requestsPerSecond, capacity }: HardwarePrice): KnownFigure | null {
  const stated = { status: "known", n: 1, method: costMethods.statedCapacity } as const
  if (requestsPerSecond !== undefined) return { ...stated, value: requestsPerSecond }
  if (typeof capacity !== "object") return null
  const { requestsPerSecond: value, low, high, file } = capacity
  return { ...stated, value, low, high, method: costMethods.measuredCapacity(file) }
}

/** The price of hardware whose capacity is what is being measured. @experimental */
export function withoutCapacity<P extends Price | null>(price: P): P {
  if (!isHardwarePrice(price)) return price
  const { requestsPerSecond: _requests, tokensPerSecond: _tokens, capacity: _capacity, ...measured } = price
  return measured as P
}

/**
 * Dollars for each second of work. Idle time is paid too, so the rent (or the purchase price over its life) is divided
 * by the utilisation; power is counted while the hardware works.
 *
 * @example usdPerBusySecond({ kind: "hourly", usdPerHour: 3, instances: 1, utilisation: 0.5, … }) // 6 / 3600
 * @experimental
 */
export function usdPerBusySecond(price: HardwarePrice): number {
  if (price.kind === "hourly") return (price.usdPerHour * price.instances) / price.utilisation / secondsPerHour
  if (price.kind === "electricity") return powerPerHour(price) / secondsPerHour
  const purchase = price.purchaseUsd / price.lifeHours / price.utilisation
  return (purchase + powerPerHour(price)) / secondsPerHour
}

/**
 * Dollars per million output tokens of hardware at a measured system throughput.
 *
 * @example usdPerMillionTokens({ kind: "hourly", usdPerHour: 3, instances: 1, utilisation: 1, … }, 1000) // 0.8333…
 * @experimental
 */
export function usdPerMillionTokens(price: HardwarePrice, systemTokensPerSecond: number): number {
  return (usdPerBusySecond(price) * 1e6) / systemTokensPerSecond
}

/**
 * Dollars that hardware costs in a month, busy or not; own hardware draws power for its share of busy time.
 * @experimental
 */
export function hardwareUsdPerMonth(price: HardwarePrice): number {
  if (price.kind === "hourly") return price.usdPerHour * price.instances * hoursPerMonth
  const power = powerPerHour(price) * utilisationOf(price)
  return ((price.kind === "owned" ? price.purchaseUsd / price.lifeHours : 0) + power) * hoursPerMonth
}

/** Share of the time that the hardware works, 0..1. @experimental */
export function utilisationOf(price: HardwarePrice): number {
  return price.utilisation ?? 1
}

function powerPerHour(price: OwnedPrice | ElectricityPrice): number {
  return (price.watts / 1000) * price.usdPerKwh
}
