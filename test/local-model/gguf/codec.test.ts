import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { decodeTensor, encodeTensor } from "../../../src/local-model/gguf/codec.ts"
import { tensorTypes } from "../../../src/local-model/gguf/tensor-type.ts"
import { fromHalf, toHalf } from "../../../src/platform/half.ts"

const lossy = ["Q8_0", "Q5_0", "Q4_1", "Q4_0", "MXFP4", "Q2_0"] as const

function normals(count: number, seed: string): Float32Array {
  const random = createRandom(seed)
  return Float32Array.from({ length: count }, () => random.normal() * 0.05)
}

function relativeError(type: (typeof lossy)[number], values: Float32Array): number {
  const back = decodeTensor(type, encodeTensor(type, values))
  const squares = values.reduce((sum, value) => sum + value * value, 0)
  return Math.sqrt(values.reduce((sum, value, i) => sum + (value - (back[i] as number)) ** 2, 0) / squares)
}

describe("half precision", () => {
  it("gives every one of the 65,536 halves back", () => {
    for (let bits = 0; bits < 65536; bits++) {
      const value = fromHalf(bits)
      if (Number.isNaN(value)) expect(Number.isNaN(fromHalf(toHalf(value)))).toBe(true)
      else if (toHalf(value) !== bits) expect.unreachable(`bits ${bits}`)
    }
  })

  it("rounds half way to even", () => {
    expect(toHalf(1 + 2 ** -11)).toBe(0x3c00)
    expect(toHalf(1 + 3 * 2 ** -11)).toBe(0x3c02)
    expect(toHalf(65519)).toBe(0x7bff)
    expect(toHalf(65520)).toBe(0x7c00)
    expect(toHalf(2 ** -25)).toBe(0)
    expect(toHalf(2 ** -24)).toBe(1)
  })
})

describe("block formats on normal weights", () => {
  it("err by the amount that their bits allow, in the order of their bits", () => {
    const values = normals(64 * 256, "weights")
    const errors = Object.fromEntries(lossy.map((type) => [type, relativeError(type, values)]))
    expect(errors.Q8_0).toBeLessThan(0.007)
    expect(errors.Q5_0).toBeLessThan(0.05)
    expect(errors.Q4_1).toBeLessThan(0.09)
    expect(errors.Q4_0).toBeLessThan(0.1)
    expect(errors.MXFP4).toBeLessThan(0.125)
    expect(errors.Q2_0).toBeLessThan(0.4)
    const order = ["Q8_0", "Q5_0", "Q4_1", "Q4_0", "MXFP4", "Q2_0"].map((type) => errors[type] as number)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  it.each(lossy)("%s keeps zeros and constant blocks, and its bytes are stable under a second pass", (type) => {
    const { blockElements, blockBytes } = tensorTypes[type]
    const zeros = new Float32Array(blockElements)
    expect(decodeTensor(type, encodeTensor(type, zeros)).every((value) => value === 0)).toBe(true)
    const once = encodeTensor(type, normals(blockElements * 8, type))
    expect(once.length).toBe(blockBytes * 8)
    const decoded = decodeTensor(type, once)
    const twice = decodeTensor(type, encodeTensor(type, decoded))
    decoded.forEach((value, i) => {
      expect(twice[i]).toBeCloseTo(value, 3)
    })
  })

  it("Q8_0 errs by at most half a step anywhere", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: 32, maxLength: 32 }), (list) => {
        const values = Float32Array.from(list)
        const largest = Math.max(...list.map(Math.abs))
        const back = decodeTensor("Q8_0", encodeTensor("Q8_0", values))
        // The scale is a half: within 1/2048 of itself, or within 2^-25 where it is subnormal, times 127 steps.
        const bound = largest / 127 / 2 + largest / 1000 + 127 * 2 ** -25
        return values.every((value, i) => Math.abs(value - (back[i] as number)) <= bound)
      }),
    )
  })

  it("refuses a count that is no multiple of the block", () => {
    expect(() => encodeTensor("Q4_0", new Float32Array(33))).toThrow(/33 is no multiple of 32/)
  })
})
