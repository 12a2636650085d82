const scratch = new Float32Array(1)
const scratchBits = new Uint32Array(scratch.buffer)

/**
 * The IEEE 754 half-precision bits of a number, rounded to nearest even; too large becomes infinity.
 *
 * @example toHalf(1) // 0x3c00
 */
export function toHalf(value: number): number {
  scratch[0] = value
  const bits = scratchBits[0] as number
  const sign = (bits >>> 16) & 0x8000
  const exponent = (bits >>> 23) & 0xff
  const mantissa = bits & 0x7fffff
  if (exponent === 0xff) return sign | 0x7c00 | (mantissa ? 0x200 : 0)
  const halfExponent = exponent - 112
  if (halfExponent >= 31) return sign | 0x7c00
  if (halfExponent < -10) return sign
  if (halfExponent <= 0) return sign | roundShift(mantissa | 0x800000, 14 - halfExponent)
  return sign | ((halfExponent << 10) + roundShift(mantissa, 13))
}

/** `value >> bits`, rounded to nearest even. */
function roundShift(value: number, bits: number): number {
  const whole = value >>> bits
  const rest = value & ((1 << bits) - 1)
  const half = 1 << (bits - 1)
  return rest > half || (rest === half && (whole & 1) === 1) ? whole + 1 : whole
}

/** Made at first use: whoever imports evalkit does not wait for it. */
let halves: Float32Array | undefined

function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >>> 10) & 31
  const mantissa = bits & 1023
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY
  if (exponent === 0) return sign * mantissa * 2 ** -24
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15)
}

/**
 * The number behind half-precision bits (0..65535).
 *
 * @example fromHalf(0x3c00) // 1
 */
export function fromHalf(bits: number): number {
  halves ??= Float32Array.from({ length: 65536 }, (_, each) => halfValue(each))
  return halves[bits] as number
}
