import type { Dataset } from "../../src/core/dataset.ts"
import type { Sample } from "../../src/core/sample.ts"
import { partOf } from "./part-of.ts"

/**
 * The first `n` samples of a data set; reading stops there, and the fingerprint is that of those samples. It reads one sample
 * further to know whether it is a part.
 * @public
 */
export function limitDataset(inner: Dataset, n: number): Dataset {
  let isPart = false
  async function* samples(signal?: AbortSignal): AsyncGenerator<Sample> {
    if (n <= 0) return
    const source = inner.samples(signal)[Symbol.asyncIterator]()
    try {
      for (let left = n; left > 0; left--) {
        const next = await source.next()
        if (next.done) return
        yield next.value
      }
      // A row that cannot be read is there all the same, and is not asked for.
      isPart = await source.next().then(
        ({ done }) => !done,
        () => true,
      )
    } finally {
      await source.return?.()
    }
  }
  return partOf(inner, { samples, isPart: () => isPart, of: (moved) => limitDataset(moved, n) })
}
