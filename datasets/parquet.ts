import { MissingPackageError, messageOf, UsageError } from "../src/core/errors.ts"
import type { JsonValue } from "../src/core/json.ts"
import type { ReadRow } from "./bad-row.ts"
import { checkPages } from "./parquet-pages.ts"

/**
 * Rows of a Parquet file, one row group in memory at a time. Snappy, gzip, Brotli and (Node 22.15 or newer) Zstandard.
 * 64-bit integers become numbers where they are exact and texts otherwise, dates ISO 8601, bytes base64.
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
    const names = parquetSchema(metadata).children.map(({ element }) => element.name)
    const compressors = await zlibCompressors()
    let rowStart = 0
    for (const group of metadata.row_groups) {
      await checkPages(buffer, group)
      const rowEnd = rowStart + Number(group.num_rows)
      // One column after the other: of several at once, hyparquet leaves the errors of those that it does not reach to nobody.
      const columns: (readonly unknown[])[] = []
      for (const name of names) {
        const options = { file: buffer, metadata, columns: [name], rowStart, rowEnd, compressors }
        columns.push((await parquetReadObjects(options)).map((row) => row[name]))
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

/** The reader's own words where it has some; where it stumbles over damaged bytes, its words say nothing about the file. */
function faultOf(error: unknown): string {
  const isOwn = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype
  return isOwn ? messageOf(error).slice(0, 160) : "its bytes are damaged, or it is of another format"
}

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array

async function zlibCompressors(): Promise<Record<string, Decompress>> {
  const zlib = await import("node:zlib")
  const bounded =
    (decompress: (input: Uint8Array, options: { maxOutputLength: number }) => Buffer): Decompress =>
    (input, outputLength) =>
      decompress(input, { maxOutputLength: Math.max(1, outputLength) })
  const compressors: Record<string, Decompress> = {
    GZIP: bounded(zlib.gunzipSync),
    BROTLI: bounded(zlib.brotliDecompressSync),
  }
  const zstd: unknown = Reflect.get(zlib, "zstdDecompressSync")
  if (typeof zstd === "function") compressors.ZSTD = bounded((input, options) => zstd(input, options) as Buffer)
  return compressors
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
