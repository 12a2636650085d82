import type { Exchange } from "./exchange.ts"

/** An exchange as one thread hands it to another: one block of memory, and little beside it. */
export interface PackedExchange extends Omit<Exchange, "chunks" | "stampsMs" | "headers"> {
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** How many chunks there are. */
  readonly count: number
  /** The stamp of each chunk (64-bit numbers), where each ends (32-bit numbers), then their bytes. */
  readonly block: ArrayBuffer
}

/** Bytes of a stamp and of an end. */
const [stampSize, endSize] = [8, 4]

/** Smaller blocks are copied: to move one takes longer than that. */
const smallestMoved = 64 * 1024

/** Packs an exchange; `transfer` names the blocks that move with it. */
export function packExchange(exchange: Exchange): {
  readonly packed: PackedExchange
  readonly transfer: readonly ArrayBuffer[]
} {
  const { chunks, stampsMs, headers, ...rest } = exchange
  const count = chunks.length
  const start = (stampSize + endSize) * count
  const block = new ArrayBuffer(chunks.reduce((length, chunk) => length + chunk.length, start))
  new Float64Array(block, 0, count).set(stampsMs)
  const ends = new Uint32Array(block, stampSize * count, count)
  const bytes = new Uint8Array(block, start)
  let end = 0
  for (let i = 0; i < count; i++) {
    bytes.set(chunks[i]!, end)
    end += chunks[i]!.length
    ends[i] = end
  }
  const names: string[] = []
  for (const [name, value] of headers) names.push(name, value)
  return {
    packed: { ...rest, headers: names, count, block },
    transfer: block.byteLength < smallestMoved ? [] : [block],
  }
}

/** @param offsetMs what turns the sender's stamps into those of the receiver's clock */
export function unpackExchange(packed: PackedExchange, offsetMs: number): Exchange {
  const { headers: names, count, block, lost, ...rest } = packed
  const ends = new Uint32Array(block, stampSize * count, count)
  const bytes = new Uint8Array(block, (stampSize + endSize) * count)
  const headers = new Map<string, string>()
  for (let i = 0; i < names.length; i += 2) headers.set(names[i]!, names[i + 1]!)
  return {
    ...rest,
    sendMs: rest.sendMs + offsetMs,
    headersMs: rest.headersMs === null ? null : rest.headersMs + offsetMs,
    endMs: rest.endMs + offsetMs,
    headers,
    chunks: Array.from(ends, (end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end)),
    stampsMs: Array.from(new Float64Array(block, 0, count), (atMs) => atMs + offsetMs),
    ...(lost && { lost: lost.map((one) => ({ ...one, sendMs: one.sendMs + offsetMs, endMs: one.endMs + offsetMs })) }),
  }
}
