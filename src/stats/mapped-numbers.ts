/** Memory of so many numbers or more is mapped by itself; less is not worth it. */
const largeLength = 8192

/** Memory whose size can change is mapped by itself; that of other arrays stays with the process, in pieces, when it is free. */
interface MappedBuffer extends ArrayBuffer {
  readonly resizable: boolean
  resize(bytes: number): void
}
const Mapped = ArrayBuffer as unknown as new (
  bytes: number,
  options: { readonly maxByteLength: number },
) => MappedBuffer

/** So many zeros, whose memory {@link releaseNumbers} returns to the system. */
export function mappedNumbers(length: number): Float64Array<ArrayBuffer> {
  if (length < largeLength) return new Float64Array(length)
  const bytes = length * Float64Array.BYTES_PER_ELEMENT
  return new Float64Array(new Mapped(bytes, { maxByteLength: bytes }), 0, length)
}

/** What `numberAt` says of each place, in {@link mappedNumbers}. */
export function mappedFrom(length: number, numberAt: (index: number) => number): Float64Array<ArrayBuffer> {
  const values = mappedNumbers(length)
  for (let i = 0; i < length; i++) values[i] = numberAt(i)
  return values
}

/**
 * Returns the memory of {@link mappedNumbers} to the system at once, not when the collector comes to it. The numbers are gone: only
 * whoever made an array may do this, once nobody reads it. Without effect on other arrays.
 */
export function releaseNumbers(...arrays: readonly Float64Array[]): void {
  for (const { buffer } of arrays) {
    const memory = buffer as MappedBuffer
    if (memory.resizable) memory.resize(0)
  }
}
