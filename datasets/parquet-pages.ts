import type { AsyncBuffer, RowGroup } from "hyparquet"
import { maxUnpackedBytes, tooLongUnpacked } from "../src/platform/unpacked-bytes.ts"

/** What a page's header says of the page, as hyparquet hands it over. */
type PageHeader = ReturnType<typeof import("hyparquet/src/column.js").parquetHeader>

/**
 * Goes through the headers of a row group's pages before their content is read: hyparquet believes them, and a damaged size
 * sends it round in circles for ever, or makes it ask for more memory than there is.
 *
 * @throws Error saying which column's page cannot be as its header says.
 */
export async function checkPages(file: AsyncBuffer, { columns, num_rows }: RowGroup): Promise<void> {
  const { parquetHeader } = await import("hyparquet/src/column.js")
  for (const { meta_data: column } of columns) {
    if (!column) continue
    const name = JSON.stringify(column.path_in_schema.join(".").slice(0, 60))
    const wrong = (what: string) => new Error(`parquet column ${name}: ${what}`)
    const first = Number(column.dictionary_page_offset || column.data_page_offset)
    const start = Math.min(first, Number(column.data_page_offset))
    const end = start + Number(column.total_compressed_size)
    if (!(start >= 0 && end >= start && end <= file.byteLength)) throw wrong("it lies outside of the file")
    const longest = maxUnpackedBytes(end - start)
    if (Number(column.total_uncompressed_size) > longest) throw wrong(tooLongUnpacked(longest).message)
    const bytes = await file.slice(start, end)
    const reader = { view: new DataView(bytes), offset: 0 }
    const max = { bytes: Number(column.total_uncompressed_size), values: Number(column.num_values) }
    while (reader.offset < bytes.byteLength - 1) {
      const header = parquetHeader(reader)
      const fault = faultOf(header, bytes.byteLength - reader.offset, max, Number(num_rows))
      if (fault) throw wrong(fault)
      reader.offset += header.compressed_page_size
    }
  }
}

function faultOf(
  header: PageHeader,
  bytesLeft: number,
  max: { readonly bytes: number; readonly values: number },
  rows: number,
): string | null {
  const {
    compressed_page_size,
    uncompressed_page_size,
    data_page_header,
    data_page_header_v2,
    dictionary_page_header,
  } = header
  if (!isCount(compressed_page_size, bytesLeft)) return "a page is longer than its column"
  if (!isCount(uncompressed_page_size, max.bytes)) return "a page claims to hold more than its column"
  const page = data_page_header ?? data_page_header_v2 ?? dictionary_page_header
  if (page && !isCount(page.num_values, max.values)) return "a page claims to have more values than its column"
  if (!data_page_header_v2) return null
  const { num_rows, num_nulls, definition_levels_byte_length, repetition_levels_byte_length } = data_page_header_v2
  if (!isCount(num_rows, rows)) return "a page claims to have more rows than its group"
  if (!isCount(num_nulls, max.values)) return "a page claims to have more nulls than values"
  const levels = [definition_levels_byte_length, repetition_levels_byte_length]
  return levels.every((bytes) => isCount(bytes, uncompressed_page_size)) ? null : "a page's levels are longer than it"
}

function isCount(value: unknown, max: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max
}
