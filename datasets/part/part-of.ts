import type { Dataset } from "../../src/core/dataset.ts"
import type { Sample } from "../../src/core/sample.ts"
import { fingerprintOf } from "../fingerprint.ts"

/** Which samples of a data set are meant. */
export interface DatasetPart {
  samples(signal?: AbortSignal): AsyncGenerator<Sample>
  /** Whether the data set has more of them; left out: as it says itself. */
  readonly isPart?: () => boolean
  /** The same part of that data set at another place. */
  of(moved: Dataset): Dataset
}

/** A part of a data set: its fingerprint is that of its samples, all else is the whole one's. */
export function partOf(inner: Dataset, { samples, isPart, of }: DatasetPart): Dataset {
  let fingerprint: Promise<string> | undefined
  const asks = isPart ?? (inner.isPart && (() => inner.isPart?.() ?? false))
  return {
    name: inner.name,
    source: inner.source,
    samples,
    skipped: () => inner.skipped(),
    ...(asks && { isPart: asks }),
    fingerprint: () => {
      fingerprint ??= fingerprintOf(samples())
      return fingerprint
    },
    ...(inner.media && { media: (sha256) => inner.media?.(sha256) ?? Promise.resolve(null) }),
    resolveFrom: (directory) => of(inner.resolveFrom?.(directory) ?? inner),
  }
}
