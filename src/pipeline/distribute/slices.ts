import type { Variant } from "../../core/variant.ts"
import { inTurn, laneOf, type PlannedCall } from "../../run/plan.ts"
import { numberCalls } from "../../run/planned/planned-calls.ts"

/** What one variant is asked in a slice. */
export interface SlicePart {
  readonly variant: string
  readonly calls: readonly PlannedCall[]
}

/** The calls of a run, cut into slices: all variants answer the few samples of a slice, on one machine and within moments. */
export interface Slices {
  readonly count: number
  /** Samples of a slice; the last may have fewer. */
  readonly samples: number
  sampleIds(slice: number): readonly string[]
  /**
   * Parts of one lane follow one another, forwards and backwards as turns do: machine and hour cancel out of a paired
   * difference. Lanes go side by side.
   */
  lanes(slice: number): readonly (readonly SlicePart[])[]
}

/** What slices are cut from. */
export interface SliceOptions {
  readonly variants: readonly Variant[]
  readonly repeats: number
  /** Ids of the samples in the seeded order of the run. */
  readonly order: readonly string[]
  /** Samples of a slice. */
  readonly samples: number
}

/** Answers that a slice has, about: few enough to be done in moments, and enough that the queue's own work is small. */
const callsWanted = 32

/** How many samples a slice of such a run has. */
export function samplesOfSlice(variants: number, repeats: number): number {
  return Math.max(1, Math.round(callsWanted / (variants * repeats)))
}

/**
 * Cuts a run into slices. They depend on the plan alone, so that coordinator and workers need not tell each other what is in one.
 *
 * @example cutSlices({ variants, repeats: 1, order, samples: 10 }).lanes(3) // samples 30 to 39 of the order
 */
export function cutSlices({ variants, repeats, order, samples }: SliceOptions): Slices {
  const callsOf = numberCalls(variants, repeats, order)
  const byLane = new Map<string, string[]>()
  for (const variant of variants) {
    const names = byLane.get(laneOf(variant)) ?? []
    names.push(variant.name)
    byLane.set(laneOf(variant), names)
  }
  const bounds = (slice: number) => [slice * samples, Math.min(order.length, (slice + 1) * samples)] as const
  return {
    count: Math.ceil(order.length / samples),
    samples,
    sampleIds: (slice) => order.slice(...bounds(slice)),
    lanes: (slice) =>
      [...byLane.values()].map((names) =>
        inTurn(names, slice).map((variant) => ({ variant, calls: [...callsOf(variant, ...bounds(slice))] })),
      ),
  }
}

/** Name of the quota that says how many samples of the order a variant is asked; without it, all. */
export function samplesQuota(variant: string): string {
  return `samples ${variant}`
}
