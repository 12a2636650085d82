import { type Figure, unknown } from "../../core/report/figure.ts"

/** How fast an endpoint uses up the errors that its target allows. @experimental */
export interface ErrorBudget {
  /** Share of requests that must be answered, such as 0.999. */
  readonly target: number
  /** 1 − target. */
  readonly budget: number
  /** Observed error rate / error budget: 1 uses it up exactly, 10 ten times too fast. */
  readonly burnRate: Figure
}

/**
 * Error budget and burn rate of an availability, with the interval of the availability.
 *
 * @param target above 0 and below 1
 * @example errorBudget({ status: "known", value: 0.99, … }, 0.999).burnRate // value 10
 * @experimental
 */
export function errorBudget(availability: Figure, target: number): ErrorBudget {
  const budget = 1 - target
  const burn = (share: number | null | undefined) => (share == null ? null : Math.max(0, 1 - share) / budget)
  const burnRate: Figure =
    availability.status === "unknown"
      ? unknown(availability.reason)
      : {
          status: "known",
          value: Math.max(0, 1 - availability.value) / budget,
          low: burn(availability.high),
          high: burn(availability.low),
          n: availability.n,
          method: `error rate / ${budget.toPrecision(2)}, from ${availability.method}`,
        }
  return { target, budget, burnRate }
}
