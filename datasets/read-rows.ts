import { createReadStream } from "node:fs"
import type { SkippedRow } from "../src/core/dataset.ts"
import type { JsonObject, JsonValue } from "../src/core/json.ts"
import { checkOptions } from "../src/core/options.ts"
import { truthValue } from "../src/text/truth-value.ts"
import { badRowError, isRow, type RawRow, type ReadRow } from "./bad-row.ts"
import { readDelimited } from "./delimited.ts"
import type { DownloadLimits } from "./download.ts"
import { readJson } from "./json.ts"
import { readJsonl, readTextLines } from "./jsonl.ts"
import { readParquet } from "./parquet.ts"
import { type DatasetFormat, source } from "./source.ts"

/** 64 MiB: a line of 50 MB can be read. */
const defaultMaxLineBytes = 64 * 2 ** 20

/** Options of {@link readRows}. @experimental */
export interface ReadRowsOptions {
  /** Default: by the extension. */
  readonly format?: DatasetFormat
  /** Folder that relative paths start from. Default: the working directory. */
  readonly baseDirectory?: string
  /** Longest line or record, in bytes (characters for CSV and JSON). Default: 64 MiB. */
  readonly maxLineBytes?: number
  /** Turn CSV and TSV texts that are exactly a JSON number, `true` or `false` into that value. Default: false. */
  readonly inferTypes?: boolean
  /** Called for each row that cannot be read, which is then left out. Default: such a row is an error. */
  readonly onBadRow?: (bad: SkippedRow) => void
  readonly limits?: DownloadLimits
  readonly signal?: AbortSignal
}

/**
 * Rows of a JSON, JSONL, CSV, TSV, Parquet or text file (path or http(s) URL) as they are in the file, one at a time.
 * CSV and TSV values are texts unless `inferTypes` is set. An empty file has no rows.
 *
 * @throws UsageError naming file and line for a bad row (without `onBadRow`), and always for faults after which
 * reading cannot continue: truncated JSON, unbalanced quotes, invalid UTF-8 in CSV and JSON.
 * @example for await (const { row, where } of readRows("outputs.jsonl")) console.log(where, row.id)
 * @experimental
 */
export async function* readRows(location: string | URL, options: ReadRowsOptions = {}): AsyncGenerator<RawRow> {
  checkOptions("readRows", options)
  const from = source(location, options)
  const path = await from.open(options.signal)
  for await (const read of readFormat(path, from.shown, from.format, options)) {
    if (isRow(read)) yield read
    else if (options.onBadRow) options.onBadRow(read)
    else throw badRowError(read)
  }
}

/** Reads a local file whose format is known; bad rows come in the stream. `file` is its name in messages. */
export function readFormat(
  path: string,
  file: string,
  format: DatasetFormat,
  options: Pick<ReadRowsOptions, "maxLineBytes" | "inferTypes" | "signal">,
): AsyncIterable<ReadRow> {
  const max = options.maxLineBytes ?? defaultMaxLineBytes
  if (format === "parquet") return readParquet(path, file)
  const bytes = createReadStream(path, { signal: options.signal, highWaterMark: 256 * 1024 })
  if (format === "jsonl") return readJsonl(bytes, file, max)
  if (format === "lines") return readTextLines(bytes, file, max)
  if (format === "json") return readJson(bytes, file, max)
  const rows = readDelimited(bytes, file, format === "csv" ? "," : "\t", max)
  return options.inferTypes ? inferred(rows) : rows
}

/** The rows of a table with texts that are exactly a JSON number or a truth value as that value. */
export async function* inferred(rows: AsyncIterable<ReadRow>): AsyncGenerator<ReadRow> {
  for await (const read of rows) {
    if (!isRow(read)) yield read
    else yield { where: read.where, row: mapValues(read.row, inferType) }
  }
}

function mapValues(row: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, change(value)]))
}

/** Only texts that print back unchanged become numbers: "007" and a 20-digit id stay texts. */
function inferType(value: JsonValue): JsonValue {
  if (typeof value !== "string") return value
  const truth = truthValue(value)
  if (truth !== null) return truth
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(value)) return value
  const number = Number(value)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? value : Number.isFinite(number) ? number : value
}
