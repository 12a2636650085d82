import { Decompress } from "fzstd"

/**
 * Unpacks Zstandard frames chunk by chunk. Node has its own decoder from 22.15 on; evalkit runs on older ones, too.
 *
 * @throws for data that are damaged or cut off
 */
export async function* zstdDecompress(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  const stream = new Decompress((chunk) => ready.push(chunk))
  for await (const chunk of chunks) {
    // Small steps: a bomb is noticed before it has filled the memory.
    for (let from = 0; from < chunk.length; from += step) {
      stream.push(chunk.subarray(from, from + step))
      yield* ready
      ready = []
    }
  }
  stream.push(new Uint8Array(0), true)
  yield* ready
}

/** A block of four bytes may stand for 128 KB: this much for 32 MB at most. */
const step = 1024
