import { type Figure, unknown } from "../core/report/figure.ts"

const z = 1.959963984540054

/**
 * A rate with its Wilson score interval at 95 % (Wilson 1927); unknown when nothing was observed.
 *
 * @example wilsonRate(5, 5) // value 1, low 0.566, high 1
 */
export function wilsonRate(successes: number, total: number, whenNone = "nothing was observed"): Figure {
  if (total === 0) return unknown(whenNone)
  const rate = successes / total
  const scale = 1 + (z * z) / total
  const centre = (rate + (z * z) / (2 * total)) / scale
  const half = (z * Math.sqrt((rate * (1 - rate)) / total + (z * z) / (4 * total * total))) / scale
  return {
    status: "known",
    value: rate,
    low: successes === 0 ? 0 : centre - half,
    high: successes === total ? 1 : centre + half,
    n: total,
    method: "share, Wilson 95 %",
  }
}
