import { UsageError } from "../src/core/errors.ts"
import { validPrefix } from "../src/platform/lines.ts"

/**
 * Decodes UTF-8 strictly, chunk by chunk; a BOM at the start is dropped.
 *
 * @throws UsageError naming line and byte offset of the first invalid byte.
 */
export async function* decodeUtf8(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let offset = 0
  let line = 1
  // Bytes of a character that the last chunk cut off: the decoder holds them too; here they locate an error.
  let tail: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    const bytes = tail.length === 0 ? chunk : Buffer.concat([tail, chunk])
    const start = offset - tail.length
    let text: string
    try {
      text = decoder.decode(chunk, { stream: true })
    } catch {
      throw invalid(file, bytes, start, line)
    }
    yield text
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++
    offset += chunk.length
    tail = cutSequence(bytes)
  }
  if (tail.length > 0)
    throw new UsageError(`invalid UTF-8 at byte offset ${offset - tail.length}: the file ends inside a character`, {
      code: "bad_row",
      where: `${file}:${line}`,
    })
}

function invalid(file: string, bytes: Uint8Array, start: number, line: number): UsageError {
  const good = validPrefix(bytes)
  let number = line
  for (let i = 0; i < good; i++) if (bytes[i] === 10) number++
  return new UsageError(`invalid UTF-8 at byte offset ${start + good}`, {
    code: "bad_row",
    where: `${file}:${number}`,
    hint: "save the file as UTF-8",
  })
}

/** The up to three bytes at the end that begin an incomplete character. */
function cutSequence(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? bytes.slice(-back) : new Uint8Array()
  }
  return new Uint8Array()
}
