import type { IndexState } from "./index-states.ts"
import { countStream, weightedQuantile } from "./resample-counts.ts"
import { weightedMeans } from "./weighted-means.ts"

/** Figures of columns over the same samples, wanted in many resamples. */
export interface WeighTask {
  readonly kind: "weigh"
  /** Columns whose weighted means are wanted; NaN stands for no value. */
  readonly means: readonly Float64Array[]
  readonly quantiles: readonly WeighedQuantile[]
  /** Values of a column. */
  readonly n: number
  readonly unitCount: number
  /** Unit of each value; null where value i is unit i. */
  readonly units: Int32Array | null
  readonly draws: number
  /** Where the generator is when each block begins. */
  readonly states: readonly IndexState[]
}

/** A quantile of a column. */
export interface WeighedQuantile {
  readonly values: Float64Array
  /** Of `sortedPositions`. */
  readonly order: Int32Array
  readonly q: number
}

/** Draws of one block. */
export const weighedDraws = 50

/** Fills one block's part of the results: a draw's means, then its quantiles. */
export function weighBlock(task: WeighTask, block: number, results: Float64Array): void {
  const { means, quantiles, n, unitCount, units, draws, states } = task
  const first = block * weighedDraws
  const width = means.length + quantiles.length
  const part = new Float64Array((Math.min(draws, first + weighedDraws) - first) * width)
  const next = countStream({ state: states[block] as IndexState, n, unitCount, units })
  const meansOf = weightedMeans(means)
  for (let at = 0; at < part.length; at += width) {
    const counts = next()
    meansOf(counts, part.subarray(at, at + means.length))
    // Where every value is a unit, and none is absent, as many are drawn as there are.
    const all = units === null ? n : undefined
    quantiles.forEach(({ values, order, q }, i) => {
      part[at + means.length + i] = weightedQuantile(values, order, counts, q, order.length === n ? all : undefined)
    })
  }
  results.set(part, first * width)
}
