import { Readable } from "node:stream"
import { messageOf, UsageError } from "../src/core/errors.ts"
import type { JsonObject } from "../src/core/json.ts"
import type { ReadRow } from "./bad-row.ts"
import { decodeUtf8 } from "./decode.ts"

/** What csv-parse reports about a record. */
interface Parsed {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/**
 * Rows of a CSV or TSV file (RFC 4180; a quote inside an unquoted field is text). The first record names the columns.
 * A table "with commas" whose first line has none is read by what separates that line: semicolons, as spreadsheets of many
 * languages write them, tabs or bars. Values are texts. A record with another number of fields than the header is a bad row.
 * Memory: one record.
 *
 * @throws UsageError when a quoted field never ends or the header is ambiguous: the rest cannot be split into rows.
 */
export async function* readDelimited(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  delimiter: "," | "\t",
  maxRecordChars: number,
): AsyncGenerator<ReadRow> {
  const { parse } = await import("csv-parse")
  const { text, firstLine } = await withFirstLine(decodeUtf8(chunks, file))
  const source = Readable.from(text)
  const parser = parse({
    delimiter: delimiter === "," ? delimiterOf(firstLine) : delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordChars,
    record_delimiter: ["\r\n", "\n", "\r"],
  })
  source.on("error", (error) => parser.destroy(error))
  source.pipe(parser)
  let header: readonly string[] | undefined
  let started = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const line = info.lines - record.reduce((sum, value) => sum + lineFeeds(value), 0)
      started = info.lines + 1
      const where = `${file}:${line}`
      if (header === undefined) header = checkedHeader(record, where)
      else if (record.length !== header.length)
        yield { where, field: null, reason: `expected ${header.length} fields, got ${record.length}` }
      else yield { row: toRow(header, record), where }
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(csvFault(error), { code: "bad_row", where: `${file}:${started}`, cause: error })
  } finally {
    source.destroy()
    parser.destroy()
  }
}

/** The text, and its first line as far as `maxFirstLine` characters: a field in quotes may break it, which does no harm here. */
async function withFirstLine(chunks: AsyncGenerator<string>) {
  let firstLine = ""
  while (firstLine.length < maxFirstLine && !/[\r\n]/.test(firstLine.trimStart())) {
    const next = await chunks.next()
    if (next.done) break
    firstLine += next.value
  }
  async function* text() {
    yield firstLine
    yield* chunks
  }
  return { text: text(), firstLine: firstLine.trimStart().split(/[\r\n]/, 1)[0] ?? "" }
}

const maxFirstLine = 65_536

function delimiterOf(firstLine: string): string {
  const unquoted = firstLine.replace(/"[^"]*"/g, "")
  return [",", ";", "\t", "|"].find((mark) => unquoted.includes(mark)) ?? ","
}

function checkedHeader(names: readonly string[], where: string): readonly string[] {
  const seen = new Set<string>()
  const twice = names.find((name) => seen.size === seen.add(name).size)
  if (twice !== undefined)
    throw new UsageError(`two columns have the name ${JSON.stringify(twice.slice(0, 60))}`, { code: "bad_row", where })
  return names
}

function toRow(header: readonly string[], record: readonly string[]): JsonObject {
  return Object.fromEntries(header.map((name, i) => [name, record[i] as string]))
}

function lineFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++
  return count
}

function csvFault(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  if (code === "CSV_QUOTE_NOT_CLOSED") return "A quoted field that starts here or later never ends (unbalanced quotes)"
  if (code === "CSV_MAX_RECORD_SIZE") return "A record is longer than maxLineBytes (unbalanced quotes?)"
  return `The record cannot be read: ${messageOf(error).slice(0, 160)}`
}
