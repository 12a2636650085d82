import { type Figure, unknown } from "../../core/report/figure.ts"
import { studentQuantile } from "../../stats/distributions.ts"
import { autocorrelationTime } from "../../stats/sequential/autocorrelation.ts"
import { sum } from "../../stats/sum.ts"
import { speedMethods, speedReasons } from "../../words/perf/speed.ts"
import type { LoadUnits } from "./load-units.ts"

/**
 * How much of an amount a second brings under steady load: requests in flight over the mean time of a request, times what a request
 * brings (Little's law). Each request counts with its whole time: in a short turn, whose slots all begin anew at once, what ends inside
 * the turn are the short ones.
 *
 * The interval is Student t over units of requests that follow each other (batch means), by the delta method for the logarithm of the
 * rate, over as many units as are independent (autocorrelation time). Both of its ends are null where nothing came.
 *
 * @param amounts of each unit, in the order of time
 */
export function rateOfLoad(
  { windowMs, inFlightMs, requestMs }: LoadUnits,
  amounts: Float64Array,
  { n, method, alpha }: { readonly n: number; readonly method: string; readonly alpha: number },
): Figure {
  const [length, inFlight, busy, amount] = [sum(windowMs), sum(inFlightMs), sum(requestMs), sum(amounts)]
  if (inFlight === 0 || busy === 0) return unknown(speedReasons.noTime)
  const value = ((inFlight / length) * amount * 1000) / busy
  const units = windowMs.length
  if (amount === 0) return { status: "known", value, low: null, high: null, n, method }
  const share = (list: Float64Array, unit: number, total: number) => (list[unit] as number) / total
  // Parts of the logarithm of the time that an amount takes; they add up to 0.
  const parts = Float64Array.from(
    windowMs,
    (_, unit) =>
      share(windowMs, unit, length) -
      share(inFlightMs, unit, inFlight) +
      share(requestMs, unit, busy) -
      share(amounts, unit, amount),
  )
  const squares = parts.reduce((total, part) => total + part ** 2, 0)
  const time = autocorrelationTime(parts)
  const half =
    studentQuantile(1 - alpha / 2, Math.max(1, units / time - 1)) * Math.sqrt((squares * units * time) / (units - 1))
  return {
    status: "known",
    value,
    low: value * Math.exp(-half),
    high: value * Math.exp(half),
    n,
    method: speedMethods.batchMeans(method, alpha, units),
  }
}
