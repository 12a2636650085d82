import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs"
import { UsageError } from "../../core/errors.ts"
import type { RecordedRow } from "./recorded-row.ts"

/** Rows that can be read in their order, and again one by one. */
export interface RowSource {
  rows(): AsyncIterable<PlacedRow>
  /** The row of a place. Throws where it is not there any more. */
  row(position: RowPlace): PlacedRow
  close(): void
}

/** Where a row is. */
export interface RowPlace {
  /** Place in the list, or of the line's first byte in the file. */
  readonly start: number
  /** Bytes of the line; 0 in a list. */
  readonly length: number
  /** Number of the line in the file, from 1; place in the list. */
  readonly number: number
}

/** A row with where it is, for messages and to read it again. */
export interface PlacedRow {
  readonly row: unknown
  readonly where: string
  readonly position: RowPlace
}

/** Rows that somebody holds. */
export function listSource(rows: readonly RecordedRow[]): RowSource {
  const at = (number: number): PlacedRow => ({
    row: rows[number],
    where: `rows[${number}]`,
    position: { start: number, length: 0, number },
  })
  return {
    async *rows() {
      for (let number = 0; number < rows.length; number++) yield at(number)
    },
    row: ({ number }) => at(number),
    close: () => {},
  }
}

/**
 * The lines of a JSONL file. One line is in memory at a time, however long the file is.
 *
 * @throws {UsageError} for a file that cannot be read, or not twice
 */
export function fileSource(path: string): RowSource {
  let file: number
  try {
    if (!statSync(path).isFile()) throw new Error("it is no file that can be read more than once")
    file = openSync(path, "r")
  } catch (cause) {
    throw unreadable(path, cause)
  }
  const parse = (bytes: Buffer, position: RowPlace): PlacedRow | null => {
    const text = bytes
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trim()
    const where = `${path}:${position.number}`
    return text === "" ? null : { row: parseJson(text, where), where, position }
  }
  return {
    async *rows() {
      for await (const { bytes, position } of lines(path)) {
        const row = parse(bytes, position)
        if (row) yield row
      }
    },
    row(position) {
      const bytes = Buffer.allocUnsafe(position.length)
      const read = readSync(file, bytes, 0, position.length, position.start)
      const row = read === position.length ? parse(bytes, position) : null
      if (row) return row
      throw new UsageError("the recorded answers have changed since the run began", {
        where: `${path}:${position.number}`,
      })
    },
    close: () => closeSync(file),
  }
}

async function* lines(path: string): AsyncGenerator<{ readonly bytes: Buffer; readonly position: RowPlace }> {
  let pieces: Buffer[] = []
  let start = 0
  let length = 0
  let number = 0
  const take = (last: Buffer) => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
    const line = { bytes, position: { start, length: bytes.length, number: ++number } }
    start += bytes.length + 1
    pieces = []
    length = 0
    return line
  }
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 262_144 }) as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
        yield take(chunk.subarray(from, end))
        from = end + 1
      }
      if (from === chunk.length) continue
      pieces.push(chunk.subarray(from))
      length += chunk.length - from
    }
    if (length > 0) yield take(Buffer.alloc(0))
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw unreadable(path, cause)
  }
}

const lineFeed = 0x0a

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError("a recorded answer is not JSON", { where, cause })
  }
}

function unreadable(path: string, cause: unknown): UsageError {
  return new UsageError("the recorded answers cannot be read", { where: path, cause })
}
