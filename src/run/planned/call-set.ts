import type { CallKey } from "../../core/run/run-store.ts"
import type { Variant } from "../../core/variant.ts"
import type { PlannedCall } from "../plan.ts"
import { positionOf } from "./planned-calls.ts"

/** Some calls of a plan: a bit for each call, where a set of their ids would take a hundred bytes for each. */
export interface CallSet {
  /** Takes a call in; one that the plan does not have changes nothing. */
  add(call: CallKey & { readonly position: number }): void
  has(call: PlannedCall): boolean
}

/** What a set is of. */
export interface CallSetOptions {
  readonly variants: readonly Pick<Variant, "name">[]
  readonly repeats: number
  /** Sample ids in the order in which they are asked. */
  readonly order: readonly string[]
}

/** An empty set of the calls of variants × repeats × samples. */
export function createCallSet({ variants, repeats, order }: CallSetOptions): CallSet {
  const numberOf = new Map(variants.map(({ name }, number) => [name, number]))
  const total = order.length * repeats * variants.length
  const bits = new Uint8Array(Math.ceil(total / 8))
  let placeOf: ReadonlyMap<string, number> | null = null
  /** Where a sample is in the order: mostly where the call's number says so; not where the run had other samples when it was asked. */
  const indexOf = ({ sampleId, position }: CallKey & { readonly position: number }): number | undefined => {
    const likely = Math.floor((position - total) / variants.length) % order.length
    if (order[likely] === sampleId) return likely
    placeOf ??= new Map(order.map((id, at) => [id, at]))
    return placeOf.get(sampleId)
  }
  const bitOf = (variant: string, repeat: number, at: number | undefined): number | null => {
    const number = numberOf.get(variant)
    if (number === undefined || at === undefined || repeat >= repeats) return null
    return positionOf({ repeat, order: at, number }, order.length, variants.length)
  }
  return {
    add(call) {
      const bit = bitOf(call.variant, call.repeat, indexOf(call))
      if (bit !== null) bits[bit >> 3]! |= 1 << (bit & 7)
    },
    has({ variant, repeat, order: at }) {
      const bit = bitOf(variant, repeat, at)
      return bit !== null && (bits[bit >> 3]! & (1 << (bit & 7))) !== 0
    },
  }
}
