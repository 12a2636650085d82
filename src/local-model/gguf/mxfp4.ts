import type { BlockCodec } from "./block-codec.ts"

const block = 32

/** The sixteen values of E2M1, doubled (as ggml keeps them). */
const doubled = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12] as const

/**
 * MXFP4: a power-of-two scale (E8M0) and 32 four-bit floats (E2M1).
 * Three neighbouring exponents are tried and the one with the least squared error is taken; ggml takes the first.
 * Source: OCP Microscaling Formats (MX) 1.0, 2023; block layout of ggml.
 */
export const mxfp4: BlockCodec = {
  encode(values, at, out, outAt) {
    let largest = 0
    for (let i = 0; i < block; i++) largest = Math.max(largest, Math.abs(values[at + i] as number))
    const exponent = largest > 0 ? bestExponent(values, at, Math.floor(Math.log2(largest)) - 2 + 127) : 0
    const unit = scaleOf(exponent)
    out.setUint8(outAt, exponent)
    for (let i = 0; i < 16; i++) {
      const low = nearest(values[at + i] as number, unit)
      const high = nearest(values[at + 16 + i] as number, unit)
      out.setUint8(outAt + 1 + i, low | (high << 4))
    }
  },
  decode(bytes, at, out, outAt) {
    const unit = scaleOf(bytes.getUint8(at))
    for (let i = 0; i < 16; i++) {
      const nibbles = bytes.getUint8(at + 1 + i)
      out[outAt + i] = (doubled[nibbles & 15] as number) * unit
      out[outAt + 16 + i] = (doubled[nibbles >> 4] as number) * unit
    }
  },
}

/** Half of 2^(exponent − 127), because the table is doubled. */
function scaleOf(exponent: number): number {
  return 2 ** (exponent - 128)
}

function bestExponent(values: Float32Array, at: number, guess: number): number {
  let best = guess
  let minError = Number.POSITIVE_INFINITY
  for (let exponent = Math.max(1, guess - 1); exponent <= Math.min(254, guess + 1); exponent++) {
    const unit = scaleOf(exponent)
    let error = 0
    for (let i = 0; i < block; i++) {
      const value = values[at + i] as number
      error += ((doubled[nearest(value, unit)] as number) * unit - value) ** 2
    }
    if (error < minError) {
      minError = error
      best = exponent
    }
  }
  return Math.min(254, Math.max(0, best))
}

/** The index of the nearest of the sixteen values; thresholds lie half way between neighbours. */
function nearest(value: number, unit: number): number {
  const x = Math.abs(value) / unit
  const index = x < 0.5 ? 0 : x < 1.5 ? 1 : x < 2.5 ? 2 : x < 3.5 ? 3 : x < 5 ? 4 : x < 7 ? 5 : x < 10 ? 6 : 7
  return value < 0 ? index | 8 : index
}
