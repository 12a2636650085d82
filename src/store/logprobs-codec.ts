import { deflateRawSync, inflateRawSync } from "node:zlib"
import type { TokenLogprob } from "../core/generation.ts"

/** Numbers before the parts of a packed list: version, tokens, entries, bytes of the texts, bytes of a place, bytes of a number. */
const headSize = 6
const version = 1

/** Bytes up to which a list is not compressed: of a short one that takes longer than all else, and hardly makes it smaller. */
const maxPlain = 4096

/**
 * Packs the tokens of an answer with their log-probabilities: every text once, then places and numbers, compressed if they are many. An
 * answer of 8,000 tokens with 20 alternatives each takes 0.7 to 1.4 MB, of JSON 8 MB. Numbers come back as they were, to the last bit: in
 * four bytes where all fit into them, else in eight.
 */
export function encodeLogprobs(tokens: readonly TokenLogprob[]): Uint8Array {
  const entries = tokens.reduce((sum, { top }) => sum + 1 + top.length, 0)
  const counts = new Uint32Array(tokens.length)
  const places = new Uint32Array(entries)
  const numbers = new Float64Array(entries)
  const indices = new Map<string, number>()
  let next = 0
  const put = (text: string, logprob: number): void => {
    const index = indices.get(text) ?? indices.size
    if (index === indices.size) indices.set(text, index)
    places[next] = index
    numbers[next++] = logprob
  }
  tokens.forEach(({ token, logprob, top }, i) => {
    counts[i] = top.length
    put(token, logprob)
    for (const other of top) put(other.token, other.logprob)
  })
  const texts = Buffer.from(JSON.stringify([...indices.keys()]))
  const shortPlaces = indices.size <= 0xffff ? Uint16Array.from(places) : places
  const shortNumbers = numbers.every((value) => Object.is(Math.fround(value), value))
    ? new Float32Array(numbers)
    : numbers
  const head = Uint32Array.of(
    version,
    tokens.length,
    entries,
    texts.length,
    shortPlaces.BYTES_PER_ELEMENT,
    shortNumbers.BYTES_PER_ELEMENT,
  )
  const parts = [head, texts, counts, shortPlaces, shortNumbers]
  const bytes = Buffer.concat(parts.map(bytesOf))
  return bytes.length <= maxPlain ? bytes : deflateRawSync(bytes, { level: 1 })
}

/** The inverse of {@link encodeLogprobs}. */
export function decodeLogprobs(packed: Uint8Array): readonly TokenLogprob[] {
  const bytes = isPlain(packed) ? packed : inflateRawSync(packed)
  let at = 0
  const take = (length: number): ArrayBuffer => {
    const part = bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + length) as ArrayBuffer
    at += length
    return part
  }
  const [, count = 0, entries = 0, textBytes = 0, placeBytes = 0, numberBytes = 0] = new Uint32Array(take(4 * headSize))
  const texts = JSON.parse(Buffer.from(take(textBytes)).toString("utf8")) as readonly string[]
  const counts = new Uint32Array(take(4 * count))
  const places = new (placeBytes === 2 ? Uint16Array : Uint32Array)(take(placeBytes * entries))
  const numbers = new (numberBytes === 4 ? Float32Array : Float64Array)(take(numberBytes * entries))
  let next = 0
  const entry = () => ({ token: texts[places[next] as number] as string, logprob: numbers[next++] as number })
  return Array.from(counts, (alternatives) => ({ ...entry(), top: Array.from({ length: alternatives }, entry) }))
}

/** Compressed bytes never begin so: it would be a block of no bytes whose length, which follows inverted, is not 0. */
function isPlain(packed: Uint8Array): boolean {
  return packed[0] === version && packed.subarray(1, 4).every((byte) => byte === 0)
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
