import { fromHalf, toHalf } from "../../platform/half.ts"
import type { BlockCodec } from "./block-codec.ts"

/**
 * The round-to-nearest formats, with the scale that ggml's reference quantizer takes (from the block's extremes):
 * the bytes equal those of `llama-quantize` without an importance matrix.
 * Source: https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-quants.c
 */
const block = 32
const { fround } = Math

/** Q8_0: half scale, 32 signed bytes. Error at most half a step of absmax/127. */
export const q8_0: BlockCodec = {
  encode(values, at, out, outAt) {
    let largest = 0
    for (let i = 0; i < block; i++) largest = Math.max(largest, Math.abs(values[at + i] as number))
    const scale = fround(largest / 127)
    const inverse = scale === 0 ? 0 : fround(1 / scale)
    out.setUint16(outAt, toHalf(scale), true)
    for (let i = 0; i < block; i++) {
      const step = fround((values[at + i] as number) * inverse)
      out.setInt8(outAt + 2 + i, step < 0 ? -Math.round(-step) : Math.round(step))
    }
  },
  decode(bytes, at, out, outAt) {
    const scale = fromHalf(bytes.getUint16(at, true))
    for (let i = 0; i < block; i++) out[outAt + i] = bytes.getInt8(at + 2 + i) * scale
  },
}

/** Q5_0: half scale, 32 high bits, 16 bytes of low nibbles; values −16..15 times the scale. */
export const q5_0: BlockCodec = {
  encode(values, at, out, outAt) {
    const { scale, inverse } = signedScale(values, at, 16)
    out.setUint16(outAt, toHalf(scale), true)
    let highBits = 0
    for (let i = 0; i < 16; i++) {
      const low = step(values[at + i] as number, inverse, 16.5, 31)
      const high = step(values[at + 16 + i] as number, inverse, 16.5, 31)
      out.setUint8(outAt + 6 + i, (low & 15) | ((high & 15) << 4))
      highBits |= ((low >> 4) << i) | ((high >> 4) << (i + 16))
    }
    out.setUint32(outAt + 2, highBits >>> 0, true)
  },
  decode(bytes, at, out, outAt) {
    const scale = fromHalf(bytes.getUint16(at, true))
    const highBits = bytes.getUint32(at + 2, true)
    for (let i = 0; i < 16; i++) {
      const nibbles = bytes.getUint8(at + 6 + i)
      out[outAt + i] = (((nibbles & 15) | (((highBits >>> i) & 1) << 4)) - 16) * scale
      out[outAt + 16 + i] = (((nibbles >> 4) | (((highBits >>> (i + 16)) & 1) << 4)) - 16) * scale
    }
  },
}

/** Q4_0: half scale, 16 bytes of nibbles; values −8..7 times the scale, which carries the sign of the extreme. */
export const q4_0: BlockCodec = {
  encode(values, at, out, outAt) {
    const { scale, inverse } = signedScale(values, at, 8)
    out.setUint16(outAt, toHalf(scale), true)
    for (let i = 0; i < 16; i++) {
      const low = step(values[at + i] as number, inverse, 8.5, 15)
      const high = step(values[at + 16 + i] as number, inverse, 8.5, 15)
      out.setUint8(outAt + 2 + i, low | (high << 4))
    }
  },
  decode(bytes, at, out, outAt) {
    const scale = fromHalf(bytes.getUint16(at, true))
    for (let i = 0; i < 16; i++) {
      const nibbles = bytes.getUint8(at + 2 + i)
      out[outAt + i] = ((nibbles & 15) - 8) * scale
      out[outAt + 16 + i] = ((nibbles >> 4) - 8) * scale
    }
  },
}

/** Q4_1: half scale and half minimum, 16 bytes of nibbles; values 0..15 times the scale, plus the minimum. */
export const q4_1: BlockCodec = {
  encode(values, at, out, outAt) {
    let least = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (let i = 0; i < block; i++) {
      least = Math.min(least, values[at + i] as number)
      max = Math.max(max, values[at + i] as number)
    }
    const scale = fround(fround(max - least) / 15)
    const inverse = scale === 0 ? 0 : fround(1 / scale)
    out.setUint16(outAt, toHalf(scale), true)
    out.setUint16(outAt + 2, toHalf(least), true)
    for (let i = 0; i < 16; i++) {
      const low = step(fround((values[at + i] as number) - least), inverse, 0.5, 15)
      const high = step(fround((values[at + 16 + i] as number) - least), inverse, 0.5, 15)
      out.setUint8(outAt + 4 + i, low | (high << 4))
    }
  },
  decode(bytes, at, out, outAt) {
    const scale = fromHalf(bytes.getUint16(at, true))
    const least = fromHalf(bytes.getUint16(at + 2, true))
    for (let i = 0; i < 16; i++) {
      const nibbles = bytes.getUint8(at + 4 + i)
      out[outAt + i] = (nibbles & 15) * scale + least
      out[outAt + 16 + i] = (nibbles >> 4) * scale + least
    }
  },
}

/** The scale at which the value of largest magnitude, with its sign, becomes the lowest step. */
function signedScale(values: Float32Array, at: number, steps: number): { scale: number; inverse: number } {
  let extreme = 0
  for (let i = 0; i < block; i++) {
    const value = values[at + i] as number
    if (Math.abs(value) > Math.abs(extreme)) extreme = value
  }
  const scale = fround(extreme / -steps)
  return { scale, inverse: scale === 0 ? 0 : fround(1 / scale) }
}

/** `value / scale` as an unsigned step, in single precision like the reference. */
function step(value: number, inverse: number, offset: number, maximum: number): number {
  return Math.min(maximum, Math.trunc(fround(fround(value * inverse) + offset)))
}
