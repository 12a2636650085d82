import type { Variant } from "../../core/variant.ts"
import type { PlannedCall } from "../plan.ts"

/**
 * The calls of one variant to the samples at the places `from` to `to` of the order. Their numbers depend on neither turns nor slices,
 * so that a run can go on with other ones.
 */
export type CallsOf = (variant: string, from: number, to: number) => Generator<PlannedCall>

/** Numbers the calls of variants × repeats × samples in their seeded order. */
export function numberCalls(
  variants: readonly Pick<Variant, "name">[],
  repeats: number,
  order: readonly string[],
): CallsOf {
  const total = order.length * repeats * variants.length
  const numberOf = new Map(variants.map(({ name }, number) => [name, number]))
  return function* (variant, from, to) {
    const number = numberOf.get(variant) as number
    for (let repeat = 0; repeat < repeats; repeat++)
      for (let index = from; index < to; index++) {
        const position = total + positionOf({ repeat, order: index, number }, order.length, variants.length)
        yield { position, order: index, variant, sampleId: order[index]!, repeat }
      }
  }
}

/** Place of a call among variants × repeats × samples: repeat by repeat, sample by sample. */
export function positionOf(
  { repeat, order, number }: { readonly repeat: number; readonly order: number; readonly number: number },
  samples: number,
  variants: number,
): number {
  return (repeat * samples + order) * variants + number
}
