import type { Dataset, SkippedRow } from "../src/core/dataset.ts"
import { UsageError } from "../src/core/errors.ts"
import type { Sample } from "../src/core/sample.ts"
import { badRowError, isRow, type ReadRow } from "./bad-row.ts"
import { fingerprintOf } from "./fingerprint.ts"
import { createMediaLoader, type MediaLoader } from "./media/loader.ts"
import { readMedia } from "./media/read-media.ts"
import type { DatasetOptions } from "./options.ts"
import { select } from "./select.ts"
import { toSample } from "./to-sample.ts"

/** Where a data set's rows come from. */
export interface RowSource {
  readonly name: string
  readonly shown: string
  /** CSV has no other way to say "not given". */
  readonly emptyIsAbsent?: boolean
  /** A new pass. */
  rows(signal?: AbortSignal): AsyncIterable<ReadRow>
  resolveFrom?(directory: string): Dataset
  /** Folder that its pictures lie in; null for a data set from the network. */
  folder(): string | null
}

/** Builds a {@link Dataset} over rows: mapping, ids, bad rows, selection, fingerprint. */
export function fromRows(source: RowSource, options: DatasetOptions): Dataset {
  checkSelection(options)
  let skipped: readonly SkippedRow[] = []
  const columns = new Map<string, string>()
  let fingerprint: Promise<string> | undefined
  let loader: MediaLoader | undefined
  const media = (): MediaLoader => {
    const { media: own = {}, limits } = options
    loader ??= createMediaLoader({ folder: source.folder(), options: own, ...(limits && { limits }) })
    return loader
  }

  async function* pass(signal?: AbortSignal): AsyncGenerator<Sample> {
    const left: SkippedRow[] = []
    const seen = new Map<string, string>()
    const bad = (row: SkippedRow) => {
      if (options.onBadRow !== "skip") throw badRowError(row, 'leave such rows out with onBadRow: "skip"')
      left.push(row)
    }
    let number = 0
    try {
      for await (const read of source.rows(signal)) {
        signal?.throwIfAborted()
        number++
        if (!isRow(read)) {
          bad(read)
          continue
        }
        const result = toSample(read.row, number, options.fields ?? {}, {
          emptyIsAbsent: source.emptyIsAbsent ?? false,
        })
        if (!("sample" in result)) {
          bad({ where: read.where, ...result })
          continue
        }
        // What later rows have besides is seldom more, and costs time for each.
        if (number <= 100)
          for (const [field, column] of result.columns) if (!columns.has(field)) columns.set(field, column)
        const { id } = result.sample
        const first = seen.get(id)
        if (first !== undefined) {
          bad({ where: read.where, field: "id", reason: `${JSON.stringify(id)} is already the id of ${first}` })
          continue
        }
        const sample = await readMedia(result.sample, media)
        if ("reason" in sample) {
          bad({ where: read.where, ...sample })
          continue
        }
        seen.set(id, read.where)
        yield sample
      }
    } finally {
      skipped = left
    }
  }

  const samples = (signal?: AbortSignal) => select(pass, options, signal)
  return {
    name: options.name ?? source.name,
    source: source.shown,
    samples,
    skipped: () => skipped,
    columns: () => columns,
    fingerprint: () => {
      fingerprint ??= fingerprintOf(samples())
      return fingerprint
    },
    ...(source.resolveFrom ? { resolveFrom: source.resolveFrom } : {}),
    media: (sha256) => loader?.bytes(sha256) ?? Promise.resolve(null),
  }
}

function checkSelection({ limit, sample }: DatasetOptions): void {
  for (const [field, value] of [
    ["limit", limit],
    ["sample.n", sample?.n],
  ] as const)
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new UsageError(`expected a whole number at least 0, got ${value}`, { where: `dataset option ${field}` })
}
