import { isAscii } from "node:buffer"

/** One server-sent event, with the stamp of the data callback that completed it. */
export interface ServerEvent {
  readonly data: string
  /** The `event:` field; empty when there was none. */
  readonly name: string
  readonly atMs: number
  /** False for what stood at the end of the body without the blank line that ends an event. */
  readonly complete: boolean
  /** Set for a body that is no stream: all of it is this one event. */
  readonly isWhole?: true
}

const lineFeed = 10
const carriageReturn = 13

/**
 * Server-sent events (WHATWG HTML, section 9.2) of a recorded body. Works on bytes, so a character or a line that was
 * split over chunks needs no special care, and a line of any length costs one pass. Lines end in LF, CR or CRLF.
 * Unlike the standard, an event without its final blank line is kept and marked: several servers leave it out after
 * `[DONE]`. A line that is a JSON object is an event of its own.
 *
 * @example parseEventStream([Buffer.from("data: a\n\n")], [5]) // [{ data: "a", name: "", atMs: 5, complete: true }]
 */
export function parseEventStream(chunks: readonly Uint8Array[], stampsMs: readonly number[]): readonly ServerEvent[] {
  const bytes =
    chunks.length === 1
      ? Buffer.from(chunks[0]!.buffer, chunks[0]!.byteOffset, chunks[0]!.length)
      : Buffer.concat(chunks)
  const stampAt = createStampFinder(chunks, stampsMs)
  const hasCarriageReturn = bytes.includes(carriageReturn)
  // One byte is one unit of this text: cutting it costs a tenth of decoding each line, which only other letters need.
  const text = bytes.toString("latin1")
  const isPlain = isAscii(bytes)
  const events: ServerEvent[] = []
  let data: string[] = []
  let name = ""

  const flush = (offset: number, complete: boolean): void => {
    if (data.length > 0)
      events.push({ data: data.length === 1 ? data[0]! : data.join("\n"), name, atMs: stampAt(offset), complete })
    data = []
    name = ""
  }

  let start = startsWithByteOrderMark(bytes) ? 3 : 0
  /** The next line feed at or after `start`: looked for once each, also in a body that has none. */
  let feed = -1
  while (start < bytes.length) {
    if (feed < start) feed = findLineFeed(text, start)
    const end = hasCarriageReturn ? findReturn(bytes, start, feed) : feed
    if (end === start) flush(end, true)
    else {
      const line = isPlain ? text.slice(start, end) : bytes.toString("utf8", start, end)
      const colon = line.indexOf(":")
      // JSON without a field name is no part of an event: services and proxies write errors so, others all of a stream.
      if (line.startsWith("{") && (line.trimEnd().endsWith("}") || end === bytes.length)) {
        flush(start, true)
        data.push(line)
        flush(Math.min(end, bytes.length - 1), end < bytes.length)
      }
      const field = colon < 0 ? line : line.slice(0, colon)
      if (field === "data") data.push(valueAfter(line, colon))
      else if (field === "event") name = valueAfter(line, colon)
    }
    start = end + (bytes[end] === carriageReturn && bytes[end + 1] === lineFeed ? 2 : 1)
  }
  flush(bytes.length - 1, false)
  return events
}

function findLineFeed(text: string, start: number): number {
  const index = text.indexOf("\n", start)
  return index < 0 ? text.length : index
}

/** The first carriage return of a line, or its line feed. */
function findReturn(bytes: Buffer, start: number, feed: number): number {
  const index = bytes.subarray(start, feed).indexOf(carriageReturn)
  return index < 0 ? feed : start + index
}

function valueAfter(line: string, colon: number): string {
  if (colon < 0) return ""
  return line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1)
}

function startsWithByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

/** Stamp of the chunk that holds an offset; offsets are asked in ascending order. */
function createStampFinder(chunks: readonly Uint8Array[], stampsMs: readonly number[]): (offset: number) => number {
  let index = 0
  let endOfChunk = chunks[0]?.length ?? 0
  return (offset) => {
    while (offset >= endOfChunk && index < chunks.length - 1) {
      index += 1
      endOfChunk += chunks[index]!.length
    }
    return stampsMs[index] as number
  }
}
