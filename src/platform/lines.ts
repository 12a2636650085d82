import { isUtf8 } from "node:buffer"

/** A line without its end; `text` is null when it is not UTF-8 or too long, and `fault` says why. */
export type Line =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly text: null; readonly fault: string }

/**
 * Splits bytes into lines at LF (CRLF too), decoding UTF-8 strictly: a line that is not valid is reported with its byte offset
 * instead of containing U+FFFD. A BOM at the start is dropped. Memory: one line, at most `maxLineBytes`; the rest of a
 * longer line is read and dropped.
 */
export async function* lines(chunks: AsyncIterable<Uint8Array>, maxLineBytes: number): AsyncGenerator<Line> {
  let parts: Uint8Array[] = []
  let length = 0
  let number = 1
  let offset = 0
  let lineStart = 0
  const finish = (): Line => {
    const bytes = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)
    const line =
      length > maxLineBytes
        ? { number, text: null, fault: `the line is longer than ${maxLineBytes} bytes (maxLineBytes)` }
        : decodeLine(bytes, number, lineStart)
    parts = []
    length = 0
    return line
  }
  for await (const chunk of chunks) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(10, from)
      const part = chunk.subarray(from, end < 0 ? chunk.length : end)
      length += part.length
      if (length <= maxLineBytes) parts.push(part)
      else parts = []
      if (end < 0) break
      yield finish()
      number++
      from = end + 1
      lineStart = offset + from
    }
    offset += chunk.length
  }
  if (length > 0) yield finish()
}

function decodeLine(raw: Uint8Array, number: number, lineStart: number): Line {
  const bytes = raw.at(-1) === 13 ? raw.subarray(0, -1) : raw
  if (!isUtf8(bytes)) {
    const offset = lineStart + validPrefix(bytes)
    return { number, text: null, fault: `invalid UTF-8 at byte offset ${offset}` }
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")
  return { number, text: lineStart === 0 && text.startsWith("\ufeff") ? text.slice(1) : text }
}

/** Length of the longest prefix that is valid UTF-8 (a sequence that is cut off at its end counts as valid). */
export function validPrefix(bytes: Uint8Array): number {
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), { stream: true })
      low = middle
    } catch {
      high = middle - 1
    }
  }
  return low
}
