import { createRandom } from "../core/random.ts"
import type { UnitNumbers } from "../stats/resampling/units.ts"

/**
 * More units than this are added up into as many batches before a corpus metric is resampled. A spread estimated from so many batches has
 * a standard error of 1.4 % of itself (1 / √(2 · 2500)), a third of what 1,000 resamples leave in the end of an interval.
 */
export const maxBatches = 2500

/**
 * Puts units into at most {@link maxBatches} batches, which are resampled in their place: the same spread, at a cost in time and memory
 * that no longer grows with the number of units. Which unit goes into which batch is drawn, because samples may repeat a pattern (easy,
 * hard, easy, hard …), and batches of like samples would spread more than the samples do. Batches differ by one unit at most.
 *
 * @param seed the same seed gives the same batches, whatever is measured
 */
export function inBatches(units: UnitNumbers, seed: string): UnitNumbers {
  if (units.count <= maxBatches) return units
  const random = createRandom(`${seed}/batches`)
  const batch = Int32Array.from({ length: units.count }, (_, i) => i % maxBatches)
  for (let i = batch.length - 1; i > 0; i--) {
    const j = random.integer(i + 1)
    const moved = batch[i]!
    batch[i] = batch[j]!
    batch[j] = moved
  }
  return { of: units.of.map((unit) => batch[unit]!), count: maxBatches }
}

/** What a method says of it: nothing where each unit stands for itself. */
export function batchesText(units: UnitNumbers): string {
  return units.count > maxBatches ? ` in ${maxBatches} random batches` : ""
}
