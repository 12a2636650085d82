import type { Figure } from "../../core/report/figure.ts"
import { quotientInterval } from "./quotient-interval.ts"

/**
 * A figure that follows from how much comes in a second (the cost of a query, the energy of an answer), as unsure as that is, beside what
 * the figure is unsure of by itself. It is not bounded where the rate is not.
 *
 * @experimental
 */
export function inverseToRate(figure: Figure, rate: Figure | undefined): Figure {
  if (figure.status === "unknown") return figure
  if (rate?.status !== "known" || rate.value <= 0) return { ...figure, low: null, high: null }
  const { value, low = null, high = null, method } = rate
  const share = (bound: number | null) => (bound === null ? null : bound / value)
  const bounds = quotientInterval(figure, { value: 1, low: share(low), high: share(high) })
  return { ...figure, ...bounds, method: `${figure.method}; ${method}` }
}
