import type { Dataset } from "../src/core/dataset.ts"
import { checkOptions } from "../src/core/options.ts"
import { fromRows } from "./from-rows.ts"
import type { DatasetOptions } from "./options.ts"
import { datasetOptions } from "./options.ts"
import { readFormat } from "./read-rows.ts"
import { source } from "./source.ts"

/**
 * Samples from a JSON, JSONL (NDJSON), CSV, TSV or Parquet file, or from the lines of a text (`format: "lines"`): a path relative to the config's folder, or an http(s)
 * URL, which is streamed to a temporary file once. Rows are read as a stream, again for every pass; in memory are one
 * row, the ids (to tell duplicates), and what `shuffle` or `sample` hold. A JSON file `{ "data": [...] }` is read whole,
 * up to `maxLineBytes`.
 *
 * Columns are found under their usual names: id|_id, input|prompt|question|messages, references|reference|answers|
 * answer|target|expected, context|contexts|passages, choices|options, expectedTools, group, cluster, label; or where
 * `fields` says. Every other column is metadata. A row without an id is `row-<number>`, counted from 1.
 *
 * Bad rows (not JSON, wrong number of fields, a field of a wrong kind, an id that occurred before) stop with file,
 * line, field and reason, or are left out and listed with `onBadRow: "skip"`. A truncated JSON document, a quote that
 * never ends, and invalid UTF-8 outside JSONL always stop: the rest cannot be split into rows. An empty file is a data
 * set without samples.
 *
 * @throws UsageError at once for an unknown format or a bad option, and while reading for the faults above.
 * @example dataset("questions.csv", { fields: { input: "Question", references: "Best Answer" }, limit: 100 })
 * @public
 */
export function dataset(location: string | URL, options: DatasetOptions = {}): Dataset {
  checkOptions("dataset", options, datasetOptions)
  const from = source(location, options)
  let path: Promise<string> | undefined
  const open = (signal?: AbortSignal) => {
    path ??= from.open(signal).catch((error) => {
      path = undefined
      throw error
    })
    return path
  }
  return fromRows(
    {
      name: from.name,
      shown: from.shown,
      emptyIsAbsent: from.format === "csv" || from.format === "tsv",
      async *rows(signal) {
        yield* readFormat(await open(signal), from.shown, from.format, { ...options, ...(signal ? { signal } : {}) })
      },
      folder: from.folder,
      resolveFrom: (directory) =>
        options.baseDirectory === undefined
          ? dataset(location, { ...options, baseDirectory: directory })
          : dataset(location, options),
    },
    options,
  )
}
