import type { Dataset } from "../src/core/dataset.ts"
import { UsageError } from "../src/core/errors.ts"
import { checkOptions } from "../src/core/options.ts"
import { fromRows } from "./from-rows.ts"
import { benchmark } from "./hugging-face/benchmark.ts"
import { inline } from "./inline.ts"
import type { DatasetFileOptions } from "./options.ts"
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
 * An `eval.yaml`, with which a repository of the Hugging Face Hub says that it is a benchmark, gives the rows of one of its tasks (`task`),
 * with its inputs, targets and choices; its solvers, scorers, epochs and shuffling are not read. Where its right choice is a number, the
 * reference is the letter.
 *
 * @throws UsageError at once for an unknown format or a bad option, and while reading for the faults above.
 * @example dataset("questions.csv", { fields: { input: "Question", references: "Best Answer" }, limit: 100 })
 * @public
 */
export function dataset(location: string | URL, options: DatasetFileOptions = {}): Dataset {
  checkOptions("dataset", options)
  if (/\.ya?ml$/i.test(String(location).split("?", 1)[0] ?? "")) return benchmark(location, options, reopen)
  for (const name of ["task", "data"] as const)
    if (options[name] !== undefined)
      throw new UsageError("only an eval.yaml has tasks, whose data lie elsewhere", { where: `dataset option ${name}` })
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
      resolveFrom: reopen,
    },
    options,
  )

  function reopen(directory: string): Dataset {
    return dataset(location, options.baseDirectory === undefined ? { ...options, baseDirectory: directory } : options)
  }
}

/** Rows of code: {@link inline}. */
dataset.from = inline
