import type { Random } from "../../core/random.ts"
import { indexState, statesEvery } from "./index-states.ts"
import { inSharedMemory, shareOut, threadsFor } from "./share-blocks.ts"
import { type WeighedQuantile, type WeighTask, weighBlock, weighedDraws } from "./weigh-blocks.ts"

/** What {@link weighColumns} draws. */
export interface WeighOptions extends Pick<WeighTask, "means" | "draws"> {
  readonly quantiles: readonly WeighedQuantile[]
  /** Values of a column. */
  readonly n: number
  /** Unit of each value (its cluster), numbered from 0; each value its own when absent. */
  readonly units?: Int32Array | undefined
  readonly random: Random
}

/**
 * Means and quantiles of columns in joint resamples of their samples, those of `resampleCounts` to the last digit. Above 200 million
 * additions all cores share the work; the numbers are the same for any number of threads.
 *
 * @returns draw by draw: its means, then its quantiles
 */
export function weighColumns(
  { means, quantiles, n, units, draws, random }: WeighOptions,
  threads = threadsFor(n * draws * (means.length + quantiles.length + 1)),
): Float64Array {
  const unitCount = units ? units.reduce((max, unit) => Math.max(max, unit + 1), 0) : n
  const isOwn = !units || (unitCount === n && units.every((unit, i) => unit === i))
  const blocks = Math.ceil(draws / weighedDraws)
  const isShared = threads > 1 && blocks > 1
  const placed = <Numbers extends Float64Array | Int32Array>(numbers: Numbers) =>
    isShared ? inSharedMemory(numbers) : numbers
  const task: WeighTask = {
    kind: "weigh",
    means: means.map(placed),
    quantiles: quantiles.map(({ values, order, q }) => ({ values: placed(values), order: placed(order), q })),
    n,
    unitCount,
    units: isOwn ? null : placed(units as Int32Array),
    draws,
    states: statesEvery(unitCount * weighedDraws, blocks, indexState(random)),
  }
  const length = draws * (means.length + quantiles.length)
  if (isShared) return shareOut(task, { blocks, length, threads })
  const results = new Float64Array(length)
  for (let block = 0; block < blocks; block++) weighBlock(task, block, results)
  return results
}
