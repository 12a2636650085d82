/** Converts one block of numbers to its bytes and back. Offsets are in elements and bytes. */
export interface BlockCodec {
  encode(values: Float32Array, at: number, out: DataView, outAt: number): void
  decode(block: DataView, at: number, out: Float32Array, outAt: number): void
}
