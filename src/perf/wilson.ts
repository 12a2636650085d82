import { type Figure, unknown } from "../core/report/figure.ts"
import { wilsonInterval } from "../stats/intervals/proportion-interval.ts"
import { levelText } from "../words/percent.ts"

/**
 * A rate with its Wilson score interval (Wilson 1927); unknown when nothing was observed.
 *
 * @param alpha 1 − the level of the interval
 * @example wilsonRate(5, 5) // value 1, low 0.566, high 1
 */
export function wilsonRate(successes: number, total: number, whenNone = "nothing was observed", alpha = 0.05): Figure {
  if (total === 0) return unknown(whenNone)
  return {
    status: "known",
    value: successes / total,
    ...wilsonInterval(successes, total, alpha),
    n: total,
    method: `share, Wilson ${levelText(alpha)}`,
  }
}
