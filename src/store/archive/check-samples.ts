import { inputMedia } from "../../core/media/message-parts.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import { createSamplesFingerprint } from "../../core/run/samples-fingerprint.ts"
import type { Sample } from "../../core/sample.ts"
import { archiveFaults } from "../../words/reasons/archive.ts"
import { notAnArchive } from "./line.ts"

/** Compares the samples of an archive with what its run says of them. */
export interface SampleCheck {
  add(sample: Sample, where: string): void
  /** Bytes that an archive brings. */
  addMedia(sha256: string, where: string): void
  has(id: string): boolean
  /** @throws {UsageError} when there are more or fewer, or when they are not those of the fingerprint */
  finish(where: string): void
}

/** Fingerprints that are hashes; data sets of a user's own may have any other. */
const hashPattern = /^[0-9a-f]{32}$/

/**
 * A {@link SampleCheck} for a run. Data sets with changed copies are named by their recipe, which their samples cannot prove:
 * there the store's own comparison must do, which never lets two sets of samples share a fingerprint.
 */
export function createSampleCheck({ dataset }: RunRecord): SampleCheck {
  const fingerprint = createSamplesFingerprint()
  const ids = new Set<string>()
  const shown = new Set<string>()
  const brought = new Set<string>()
  let copies = 0
  return {
    addMedia(sha256, where) {
      if (!shown.has(sha256)) throw notAnArchive(where, archiveFaults.unusedMedia)
      brought.add(sha256)
    },
    add(sample, where) {
      if (ids.has(sample.id)) throw notAnArchive(where, archiveFaults.repeatedSample(sample.id))
      ids.add(sample.id)
      for (const part of inputMedia(sample.input)) if (part.type !== "image_url") shown.add(part.sha256)
      if (sample.copyOf) copies++
      fingerprint.add(sample)
    },
    has: (id) => ids.has(id),
    finish(where) {
      if (ids.size !== dataset.samples) throw notAnArchive(where, archiveFaults.sampleCount(dataset.samples, ids.size))
      if (brought.size < shown.size) throw notAnArchive(where, archiveFaults.mediaCount(shown.size, brought.size))
      const proves = hashPattern.test(dataset.fingerprint) && copies === 0
      if (proves && fingerprint.digest() !== dataset.fingerprint) throw notAnArchive(where, archiveFaults.otherSamples)
    },
  }
}
