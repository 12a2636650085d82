import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { allocate } from "../../datasets/select.ts"

describe("allocate", () => {
  it("gives each stratum its share by largest remainders", () => {
    expect(allocate([50, 30, 20], 10)).toEqual([5, 3, 2])
    expect(allocate([90, 9, 1], 10)).toEqual([8, 1, 1])
    expect(allocate([1, 1, 1], 2)).toEqual([1, 1, 0])
    expect(allocate([], 0)).toEqual([])
  })

  it("adds up to n and never exceeds a stratum's size", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 }), fc.nat(), (sizes, k) => {
        const total = sizes.reduce((sum, size) => sum + size, 0)
        const n = k % (total + 1)
        const quotas = allocate(sizes, n)
        expect(quotas.reduce((sum, quota) => sum + quota, 0)).toBe(n)
        for (const [i, quota] of quotas.entries()) {
          expect(quota).toBeGreaterThanOrEqual(n >= sizes.length ? 1 : 0)
          expect(quota).toBeLessThanOrEqual(sizes[i] as number)
        }
      }),
    )
  })
})
