import type { Dataset } from "../src/core/dataset.ts"
import type { Sample } from "../src/core/sample.ts"
import { fingerprintOf } from "./fingerprint.ts"

/** The first `n` samples of a data set; reading stops there, and the fingerprint is that of those samples. @public */
export function limitDataset(inner: Dataset, n: number): Dataset {
  async function* samples(signal?: AbortSignal): AsyncGenerator<Sample> {
    let left = n
    if (left <= 0) return
    for await (const sample of inner.samples(signal)) {
      yield sample
      if (--left === 0) return
    }
  }
  let fingerprint: Promise<string> | undefined
  return {
    name: inner.name,
    source: inner.source,
    samples,
    skipped: () => inner.skipped(),
    fingerprint: () => {
      fingerprint ??= fingerprintOf(samples())
      return fingerprint
    },
    resolveFrom: (directory) => limitDataset(inner.resolveFrom?.(directory) ?? inner, n),
  }
}
