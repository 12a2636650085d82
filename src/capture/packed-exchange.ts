import type { Exchange } from "./exchange.ts"

/** An exchange as one thread hands it to another: one block of bytes and one of stamps, moved and not copied. */
export interface PackedExchange extends Omit<Exchange, "chunks" | "stampsMs" | "headers"> {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each chunk ends in `bytes`. */
  readonly chunkEnds: Uint32Array<ArrayBuffer>
  readonly stampsMs: Float64Array<ArrayBuffer>
}

/** Packs an exchange; `transfer` names the blocks that move with it. */
export function packExchange(exchange: Exchange): {
  readonly packed: PackedExchange
  readonly transfer: readonly ArrayBuffer[]
} {
  const { chunks } = exchange
  const chunkEnds = new Uint32Array(chunks.length)
  let length = 0
  for (const [i, chunk] of chunks.entries()) {
    length += chunk.length
    chunkEnds[i] = length
  }
  const bytes = new Uint8Array(length)
  for (const [i, chunk] of chunks.entries()) bytes.set(chunk, (chunkEnds[i] as number) - chunk.length)
  const stampsMs = Float64Array.from(exchange.stampsMs)
  const packed = { ...exchange, chunks: undefined, headers: [...exchange.headers], bytes, chunkEnds, stampsMs }
  return { packed, transfer: [bytes.buffer, chunkEnds.buffer, stampsMs.buffer] }
}

/** @param offsetMs what turns the sender's stamps into those of the receiver's clock */
export function unpackExchange(packed: PackedExchange, offsetMs: number): Exchange {
  const { headers, bytes, chunkEnds, stampsMs, sendMs, connectMs, headersMs, endMs, status, interruption } = packed
  const { lost, stalledMs } = packed
  return {
    sendMs: sendMs + offsetMs,
    connectMs,
    headersMs: headersMs === null ? null : headersMs + offsetMs,
    endMs: endMs + offsetMs,
    status,
    headers: new Map(headers),
    chunks: Array.from(chunkEnds, (end, i) => bytes.subarray(i === 0 ? 0 : chunkEnds[i - 1], end)),
    stampsMs: Array.from(stampsMs, (atMs) => atMs + offsetMs),
    interruption,
    ...(lost && { lost: lost.map((one) => ({ ...one, sendMs: one.sendMs + offsetMs, endMs: one.endMs + offsetMs })) }),
    ...(stalledMs !== undefined && { stalledMs }),
  }
}
