import { type Figure, unknown } from "../../../core/report/figure.ts"
import { wilsonRate } from "../../../perf/wilson.ts"
import { normalQuantile } from "../../../stats/distributions.ts"
import { levelText } from "../../../words/percent.ts"

/** Values of a metric as they come in: their mean, whenever it is asked for. */
export interface PartialMean {
  add(value: number): void
  /** Wilson's interval where all values are 0 or 1, else the normal interval of the mean; `alpha` is 1 − its level. */
  figure(alpha: number): Figure
}

/** A {@link PartialMean} of nothing yet. */
export function createPartialMean(): PartialMean {
  let n = 0
  let sum = 0
  let squares = 0
  let binary = true
  return {
    add(value) {
      n++
      sum += value
      squares += value * value
      binary &&= value === 0 || value === 1
    },
    figure(alpha) {
      if (n === 0) return unknown("no answer is scored yet")
      if (binary) return wilsonRate(sum, n, undefined, alpha)
      const mean = sum / n
      const variance = Math.max(0, squares / n - mean * mean)
      const half = n < 2 ? null : normalQuantile(1 - alpha / 2) * Math.sqrt(variance / (n - 1))
      const bounds = half === null ? { low: null, high: null } : { low: mean - half, high: mean + half }
      return { status: "known", value: mean, ...bounds, n, method: `mean so far, normal ${levelText(alpha)}` }
    },
  }
}
