import type { Dataset } from "../src/core/dataset.ts"
import type { Sample } from "../src/core/sample.ts"
import { fingerprintOf } from "./fingerprint.ts"

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
  let fingerprint: Promise<string> | undefined
  return {
    name: inner.name,
    source: inner.source,
    samples,
    skipped: () => inner.skipped(),
    isPart: () => isPart,
    fingerprint: () => {
      fingerprint ??= fingerprintOf(samples())
      return fingerprint
    },
    ...(inner.media && { media: (sha256) => inner.media?.(sha256) ?? Promise.resolve(null) }),
    resolveFrom: (directory) => limitDataset(inner.resolveFrom?.(directory) ?? inner, n),
  }
}
