import type { BlockCodec } from "./block-codec.ts"
import { fromHalf, toHalf } from "./half.ts"

const block = 64
const candidates = 24

/**
 * Q2_0: half scale and 64 two-bit values −1, 0, 1, 2 times the scale, which may be negative.
 * The scale from the block's extreme ruins a model, so 48 scales are tried and the one with the least squared error
 * is refined by its closed form (Σ v·q / Σ q²).
 */
export const q2_0: BlockCodec = {
  encode(values, at, out, outAt) {
    const bits = toHalf(bestScale(values, at))
    const scale = fromHalf(bits)
    out.setUint16(outAt, bits, true)
    for (let i = 0; i < block; i += 4) {
      let byte = 0
      for (let j = 0; j < 4; j++) byte |= (level(values[at + i + j] as number, scale) + 1) << (2 * j)
      out.setUint8(outAt + 2 + i / 4, byte)
    }
  },
  decode(bytes, at, out, outAt) {
    const scale = fromHalf(bytes.getUint16(at, true))
    for (let i = 0; i < block; i++) {
      out[outAt + i] = (((bytes.getUint8(at + 2 + (i >> 2)) >> (2 * (i & 3))) & 3) - 1) * scale
    }
  },
}

function level(value: number, scale: number): number {
  return scale === 0 ? 0 : Math.max(-1, Math.min(2, Math.round(value / scale)))
}

function bestScale(values: Float32Array, at: number): number {
  let largest = 0
  for (let i = 0; i < block; i++) largest = Math.max(largest, Math.abs(values[at + i] as number))
  let best = 0
  let leastError = Number.POSITIVE_INFINITY
  for (let k = -candidates; largest > 0 && k <= candidates; k++) {
    if (k === 0) continue
    const { scale, error } = refine(values, at, (largest * k) / candidates)
    if (error < leastError) {
      leastError = error
      best = scale
    }
  }
  return best
}

/** Levels under a trial scale, then the scale that fits these levels best, with its squared error less Σ v². */
function refine(values: Float32Array, at: number, trial: number): { scale: number; error: number } {
  let products = 0
  let squares = 0
  for (let i = 0; i < block; i++) {
    const value = values[at + i] as number
    const q = level(value, trial)
    products += value * q
    squares += q * q
  }
  return squares === 0 ? { scale: 0, error: 0 } : { scale: products / squares, error: -(products * products) / squares }
}
