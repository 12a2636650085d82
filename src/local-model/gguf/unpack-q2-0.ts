const packedBlock = 18
const half = 32

/**
 * Blocks of Q2_0 as blocks of Q4_0 with the same weights, to the bit: both are small whole numbers times a half-precision scale, −1..2 here
 * and −8..7 there. A block of 64 becomes two of 32 that share its scale, and 18 bytes become 36.
 *
 * @param packed whole blocks of Q2_0, see `q2-0.ts`
 */
export function unpackQ2_0(packed: Uint8Array): Uint8Array {
  const out = new Uint8Array((packed.length / packedBlock) * 2 * packedBlock)
  let outAt = 0
  for (let at = 0; at < packed.length; at += packedBlock) {
    const level = (i: number) => ((packed[at + 2 + (i >> 2)] as number) >> (2 * (i & 3))) & 3
    for (let start = 0; start < 2 * half; start += half) {
      out[outAt++] = packed[at] as number
      out[outAt++] = packed[at + 1] as number
      // Q2_0 counts its levels from −1, Q4_0 from −8; the first half of a Q4_0 block is in the low nibbles.
      for (let i = 0; i < half / 2; i++)
        out[outAt++] = (level(start + i) + 7) | ((level(start + half / 2 + i) + 7) << 4)
    }
  }
  return out
}
