import type { SchemaElement } from "hyparquet"
import { MissingPackageError, messageOf, UsageError } from "../src/core/errors.ts"
import type { JsonValue } from "../src/core/json.ts"
import type { ReadRow } from "./bad-row.ts"
import { checkPages } from "./parquet-pages.ts"

/**
 * Rows of a Parquet file, one row group in memory at a time. Snappy, gzip, Brotli, Zstandard and LZ4.
 * 64-bit integers become numbers where they are exact and texts otherwise, decimals texts with all their digits, dates, times and
 * intervals ISO 8601, bytes base64.
 *
 * @throws UsageError when the file is truncated or is not a Parquet file.
 */
export async function* readParquet(path: string, file: string): AsyncGenerator<ReadRow> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import(
    "hyparquet"
  ).catch((error) => {
    throw new MissingPackageError("hyparquet", "reading Parquet", error)
  })
  let number = 0
  try {
    const buffer = await asyncBufferFromFile(path)
    if (buffer.byteLength === 0) return
    const metadata = await parquetMetadataAsync(buffer)
    const { children } = parquetSchema(metadata)
    const names = children.map(({ element }) => element.name)
    const exact = children.map(({ element, children: inner }) => (inner.length === 0 ? takeExact(element) : null))
    const compressors = await loadCompressors()
    let rowStart = 0
    for (const group of metadata.row_groups) {
      await checkPages(buffer, group)
      const rowEnd = rowStart + Number(group.num_rows)
      // One column after the other: of several at once, hyparquet leaves the errors of those that it does not reach to nobody.
      const columns: (readonly unknown[])[] = []
      for (const [i, name] of names.entries()) {
        const read = exact[i] ?? null
        const options = { file: buffer, metadata, columns: [name], rowStart, rowEnd, compressors, parsers }
        const rows = await parquetReadObjects({ ...options, utf8: read === null })
        columns.push(rows.map((row) => (read && row[name] != null ? read(row[name]) : row[name])))
      }
      for (let i = 0; i < rowEnd - rowStart; i++) {
        const row = Object.fromEntries(names.map((name, column) => [name, toJson(columns[column]?.[i])]))
        yield { row, where: `${file}#${++number}` }
      }
      rowStart = rowEnd
    }
  } catch (error) {
    throw new UsageError(`the Parquet file cannot be read: ${faultOf(error)}`, {
      code: "bad_row",
      where: `${file}#${number + 1}`,
      cause: error,
    })
  }
}

/** Dates without a time of day. */
const parsers = { dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10) }

/**
 * Of a column whose values are read as they are stored: how they become texts. Decimals, which hyparquet multiplies by a power of ten in
 * double precision, of which 19.90 comes back as 19.900000000000002; and intervals, which it does not read. Null for every other column.
 */
function takeExact(element: SchemaElement): ((stored: unknown) => string) | null {
  const { converted_type, logical_type } = element
  const kind = logical_type?.type ?? converted_type
  const isInterval = kind === "INTERVAL" || converted_type === "INTERVAL"
  if (!isInterval && converted_type !== "DECIMAL" && kind !== "DECIMAL") return null
  const scale = element.scale ?? (logical_type?.type === "DECIMAL" ? logical_type.scale : 0)
  delete element.converted_type
  delete element.logical_type
  return (stored) => (isInterval ? duration(stored as Uint8Array) : exactDecimal(stored, scale))
}

/** A decimal as it is stored (a whole number, or its bytes, the highest first), with its point. */
function exactDecimal(stored: unknown, scale: number): string {
  const value = stored instanceof Uint8Array ? signedInteger(stored) : BigInt(stored as number | bigint)
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0")
  const point = digits.length - scale
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ""}`
}

/** An interval, 12 bytes of months, days and milliseconds, as an ISO 8601 duration: `P1M2DT3.004S`. */
function duration(stored: Uint8Array): string {
  const view = new DataView(stored.buffer, stored.byteOffset, 12)
  const [months, days, ms] = [0, 4, 8].map((at) => view.getUint32(at, true)) as [number, number, number]
  return `P${months}M${days}DT${ms / 1000}S`
}

function signedInteger(bytes: Uint8Array): bigint {
  const unsigned = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return BigInt.asIntN(8 * bytes.length, unsigned)
}

/** The reader's own words where it has some; where it stumbles over damaged bytes, its words say nothing about the file. */
function faultOf(error: unknown): string {
  const isOwn = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype
  return isOwn ? messageOf(error).slice(0, 160) : "its bytes are damaged, or it is of another format"
}

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array

async function loadCompressors(): Promise<Record<string, Decompress>> {
  const zlib = await import("node:zlib")
  const { decompressLz4, decompressLz4Raw, decompressZstd } = await import("hyparquet-compressors")
  const bounded =
    (decompress: (input: Uint8Array, options: { maxOutputLength: number }) => Buffer): Decompress =>
    (input, outputLength) =>
      decompress(input, { maxOutputLength: Math.max(1, outputLength) })
  return {
    GZIP: bounded(zlib.gunzipSync),
    BROTLI: bounded(zlib.brotliDecompressSync),
    // Writes into a space of this size, and throws where a frame claims more.
    ZSTD: (input, outputLength) => decompressZstd(input, new Uint8Array(outputLength)),
    LZ4: decompressLz4,
    LZ4_RAW: decompressLz4Raw,
  }
}

function toJson(value: unknown): JsonValue {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value === null || value === undefined) return null
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
  if (typeof value === "string" || typeof value === "boolean") return value
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64")
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as ArrayLike<unknown>, toJson)
  return Object.fromEntries(Object.entries(value as object).map(([key, member]) => [key, toJson(member)]))
}
