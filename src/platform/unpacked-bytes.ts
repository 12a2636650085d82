/** Logs of tools are packed to a fifth, those that repeat long prompts to a hundredth; deflate packs a text of one letter to a thousandth, Zstandard to less. */
const maxRatio = 256
const freeBytes = 64 * 2 ** 20

/** How long what is packed may be when it is unpacked, its entries together, in bytes: an archive of a few kilobytes may claim to hold terabytes. */
export function maxUnpackedBytes(packedBytes: number): number {
  return freeBytes + maxRatio * packedBytes
}

/** Of what is longer. @param bytes that it may have */
export function tooLongUnpacked(bytes: number): Error {
  return new Error(
    `unpacked, it is longer than ${Math.floor(bytes / 2 ** 20)} MB: where you trust it, unpack it yourself and give what it held`,
  )
}

/** The chunks, unless they are longer together. @throws {Error} as soon as they are */
export async function* boundedBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > maxBytes) throw tooLongUnpacked(maxBytes)
    yield chunk
  }
}
