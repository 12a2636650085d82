import * as zlib from "node:zlib"
import type { Exchange } from "../exchange.ts"

/** How a body is compressed, as `content-encoding` names it. */
type Encoding = "gzip" | "deflate" | "br"

/** The first pieces each have their own moment; later ones share it, for each moment costs a pass over all before it. */
const ownMoments = 64
const laterMoments = 64

/**
 * The exchange with its body as text, where a proxy compressed it although nobody asked for that. `gzip` is known by its first bytes, too, for
 * some proxies leave the header out. What a piece brought is found by reading all up to it, so that stamps stay where they were. What
 * cannot be read stays as it is.
 */
export function decodeExchange(exchange: Exchange): Exchange {
  const { chunks, stampsMs } = decodeChunks(
    exchange.chunks,
    exchange.stampsMs,
    exchange.headers.get("content-encoding"),
  )
  return chunks === exchange.chunks ? exchange : { ...exchange, chunks, stampsMs }
}

/** The same of the pieces of a body, from which some may be missing at the end. */
export function decodeChunks(
  chunks: readonly Uint8Array[],
  stampsMs: readonly number[],
  header: string | undefined,
): Pick<Exchange, "chunks" | "stampsMs"> {
  const encoding = encodingOf(chunks, header)
  if (encoding === null) return { chunks, stampsMs }
  const all = Buffer.concat(chunks)
  const whole = decode(all, encoding)
  if (whole === null) return { chunks, stampsMs }
  const pieces: Uint8Array[] = []
  const stamps: number[] = []
  const step = Math.max(1, Math.ceil((chunks.length - ownMoments) / laterMoments))
  let read = 0
  let written = 0
  for (const [i, chunk] of chunks.entries()) {
    read += chunk.length
    const isLast = i === chunks.length - 1
    if (!isLast && i >= ownMoments && (i - ownMoments) % step !== step - 1) continue
    const length = isLast ? whole.length : (decode(all.subarray(0, read), encoding)?.length ?? written)
    if (length <= written) continue
    pieces.push(whole.subarray(written, length))
    stamps.push(stampsMs[i] as number)
    written = length
  }
  return { chunks: pieces, stampsMs: stamps }
}

function encodingOf(chunks: readonly Uint8Array[], header: string | undefined): Encoding | null {
  const named = header?.trim().toLowerCase().replace(/^x-/, "")
  const first = chunks.find(({ length }) => length > 0)
  if (first?.[0] === 0x1f && (first[1] ?? 0x8b) === 0x8b) return "gzip"
  // A header that is left behind by a proxy which unpacked the body says nothing of it.
  if (named === "br" || named === "deflate") return isText(first) ? null : named
  return null
}

/** Whether a body begins as JSON, as an event stream or as a page does. */
function isText(first: Uint8Array | undefined): boolean {
  return (
    first === undefined ||
    /^\s*(?:[{[<:]|data|event|id|retry)/.test(Buffer.from(first.subarray(0, 16)).toString("latin1"))
  )
}

/** Bytes that a body may have unpacked: a short one of zeros would fill the memory. */
const maxUnpackedLength = 256 * 2 ** 20

/** As much as can be read; null: nothing. */
function decode(bytes: Buffer, encoding: Encoding): Buffer | null {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants
  const options = { finishFlush: Z_SYNC_FLUSH, maxOutputLength: maxUnpackedLength }
  try {
    if (encoding === "br") return zlib.brotliDecompressSync(bytes, { ...options, finishFlush: BROTLI_OPERATION_FLUSH })
    if (encoding === "gzip") return zlib.gunzipSync(bytes, options)
    return zlib.inflateSync(bytes, options)
  } catch {
    return null
  }
}
