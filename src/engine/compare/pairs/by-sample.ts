import { byText } from "../../../stats/order.ts"

interface OfSample {
  readonly sampleId: string
  readonly repeat: number
}

/** The order of everything that is paired: by sample id, then repeat. */
export function bySample(a: OfSample, b: OfSample): number {
  // What is paired is mostly equal, and that is seen sooner than which of two texts comes first.
  return a.sampleId === b.sampleId ? a.repeat - b.repeat : byText(a.sampleId, b.sampleId)
}

/** A list in the order of {@link bySample}: itself where it has that order, as what the store keeps by sample. */
export function sortedBySample<Item extends OfSample>(items: readonly Item[]): readonly Item[] {
  for (let i = 1; i < items.length; i++)
    if (bySample(items[i - 1] as Item, items[i] as Item) > 0) return [...items].sort(bySample)
  return items
}
