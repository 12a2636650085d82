import type { Dataset } from "../../src/core/dataset.ts"
import { createRandom } from "../../src/core/random.ts"
import type { Sample } from "../../src/core/sample.ts"
import { partOf } from "./part-of.ts"

/**
 * A seeded share of a data set's samples, as a router would pick them: each sample is in it or not by its id and the seed alone, so that
 * a resumed run, or one over more traffic, picks the same ones. The share that is picked scatters about the wanted one.
 *
 * @param share 0 < share < 1
 */
export function canaryDataset(inner: Dataset, share: number, seed: number): Dataset {
  async function* samples(signal?: AbortSignal): AsyncGenerator<Sample> {
    for await (const sample of inner.samples(signal)) if (isPicked(sample.id, share, seed)) yield sample
  }
  return partOf(inner, { samples, of: (moved) => canaryDataset(moved, share, seed) })
}

/** Whether a canary takes a sample. A larger share takes all that a smaller one does. */
export function isPicked(id: string, share: number, seed: number): boolean {
  return createRandom(`${seed}/canary/${id}`).next() < share
}
