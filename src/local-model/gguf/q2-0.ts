import { fromHalf, toHalf } from "../../platform/half.ts"
import type { BlockCodec } from "./block-codec.ts"

const block = 64
/** Trial scales as shares of the block's largest magnitude, in either sign. */
const trials = [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.85].flatMap((share) => [share, -share])

/**
 * Q2_0: half scale and 64 two-bit values −1, 0, 1, 2 times the scale, which may be negative.
 * The scale from the block's extreme ruins a model. So several are tried, each is replaced by the one that fits its levels
 * best in closed form (Σ v·q / Σ q²), and the one with the least squared error is taken.
 */
export const q2_0: BlockCodec = {
  encode(values, at, out, outAt) {
    const bits = toHalf(bestScale(values, at))
    const inverse = inverseOf(fromHalf(bits))
    out.setUint16(outAt, bits, true)
    for (let i = 0; i < block; i += 4) {
      let byte = 0
      for (let j = 0; j < 4; j++) byte |= (level((values[at + i + j] as number) * inverse) + 1) << (2 * j)
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

/** The nearest of −1, 0, 1, 2. */
function level(x: number): number {
  return x < 0.5 ? (x < -0.5 ? -1 : 0) : x < 1.5 ? 1 : 2
}

function inverseOf(scale: number): number {
  return scale === 0 ? 0 : 1 / scale
}

function bestScale(values: Float32Array, at: number): number {
  let largest = 0
  for (let i = 0; i < block; i++) largest = Math.max(largest, Math.abs(values[at + i] as number))
  if (largest === 0) return 0
  let best = { scale: 0, gain: 0 }
  for (const share of trials) {
    const fit = fitLevels(values, at, largest * share)
    if (fit.gain > best.gain) best = fit
  }
  return fitLevels(values, at, best.scale).scale
}

/** The scale that fits the levels of a trial scale best, and by how much the squared error falls below Σ v². */
function fitLevels(values: Float32Array, at: number, trial: number): { scale: number; gain: number } {
  const inverse = inverseOf(trial)
  let products = 0
  let squares = 0
  for (let i = 0; i < block; i++) {
    const value = values[at + i] as number
    const q = level(value * inverse)
    products += value * q
    squares += q * q
  }
  return squares === 0 ? { scale: 0, gain: 0 } : { scale: products / squares, gain: (products * products) / squares }
}
