import type { Sample } from "./sample.ts"

/** A row that was left out, and why. @public */
export interface SkippedRow {
  /** `file:line` or `file#row`. */
  readonly where: string
  readonly field: string | null
  readonly reason: string
}

/** A name, a fingerprint and a stream of samples; it never needs to be in memory at once. @public */
export interface Dataset {
  readonly name: string
  /** Where it came from: a path relative to the config, or a URL without its query. */
  readonly source: string
  /** A new pass over the samples, always in the same order. Throws {@link UsageError} on a bad row when strict. */
  samples(signal?: AbortSignal): AsyncIterable<Sample>
  /** SHA-256 over the content of the selected samples, independent of the path. Costs one pass; cached. */
  fingerprint(): Promise<string>
  /** Rows that the last complete pass left out (`onBadRow: "skip"`). */
  skipped(): readonly SkippedRow[]
  /** The column that each field of a sample was read from, by the first hundred rows that were read. Absent: no columns. */
  columns?(): ReadonlyMap<string, string>
  /** Whether the last complete pass left out samples after a limit: there are more to be asked. Absent: no. */
  isPart?(): boolean
  /** The same data set with relative paths taken from this folder: the config loader calls it with the config's own. */
  resolveFrom?(directory: string): Dataset
  /** Bytes that a part of one of its samples names by their hash; null for others. Absent: its samples hold words only. */
  media?(sha256: string): Promise<Uint8Array | null>
}
