import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { optimalTransport } from "../../../metrics/semantic/optimal-transport.ts"
import { relaxedTransport } from "../../../metrics/semantic/relaxed-transport.ts"
import { agrees, golden } from "../lexical-fixtures.ts"

interface Inputs {
  readonly a: number[]
  readonly b: number[]
  readonly cost: number[][]
}

describe("optimalTransport", () => {
  const rows = golden<Inputs, { readonly emd: number; readonly greedy_relaxed_rwmd: number }>("moverscore_math")

  it.each(rows.filter(({ id }) => id.startsWith("emd-")))("agrees with POT on $id", ({ inputs, expected }) => {
    const { a, b, cost } = inputs
    expect(agrees(optimalTransport(a, b, cost.flat()).cost, expected.emd, 1e-12)).toBe(true)
    expect(agrees(relaxedTransport(a, b, cost.flat()), expected.greedy_relaxed_rwmd, 1e-12)).toBe(true)
  })

  it("agrees with Wasserstein's closed form on a line", () => {
    const onLine = (x: readonly number[], y: readonly number[]) =>
      optimalTransport(
        x.map(() => 1),
        y.map(() => 1),
        x.flatMap((from) => y.map((to) => Math.abs(from - to))),
      ).cost
    expect(onLine([1, 2, 3], [2, 3, 4])).toBeCloseTo(1, 12)
    expect(onLine([0, 1, 3], [5, 6, 8, 9])).toBeCloseTo(5.666666666666666, 12)
  })

  it("finds the best of all assignments where masses are equal, ties and zero costs included", () => {
    const costs = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 25, maxLength: 25 })
    const equal = [1, 1, 1, 1, 1]
    fc.assert(
      fc.property(costs, (cost) => {
        const best = Math.min(
          ...permutations([0, 1, 2, 3, 4]).map((order) =>
            order.reduce((sum, column, row) => sum + (cost[row * 5 + column] as number), 0),
          ),
        )
        expect(optimalTransport(equal, equal, cost).cost).toBeCloseTo(best / 5, 10)
      }),
    )
  })

  it("moves exactly the given masses, never for less than the relaxed bound", () => {
    const mass = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(mass, mass, fc.integer(), (a, b, seed) => {
        fc.pre(a.some((value) => value > 0) && b.some((value) => value > 0))
        const cost = a.flatMap((_, r) => b.map((_, c) => Math.abs(Math.sin(seed + 31 * r + 17 * c))))
        const { cost: total, flow } = optimalTransport(a, b, cost)
        const [sumA, sumB] = [sum(a), sum(b)]
        for (const [r, value] of a.entries())
          expect(sum(flow.subarray(r * b.length, (r + 1) * b.length))).toBeCloseTo(value / sumA, 12)
        for (const [c, value] of b.entries())
          expect(sum(a.map((_, r) => flow[r * b.length + c] as number))).toBeCloseTo(value / sumB, 12)
        const relaxed = relaxedTransport(
          a.map((value) => value / sumA),
          b.map((value) => value / sumB),
          cost,
        )
        expect(total).toBeGreaterThanOrEqual(relaxed - 1e-12)
      }),
    )
  })

  it("refuses masses and costs that cannot be moved", () => {
    expect(() => optimalTransport([0, 0], [1], [1, 1])).toThrow("no mass")
    expect(() => optimalTransport([1, -1], [1], [1, 1])).toThrow("not negative")
    expect(() => optimalTransport([1], [1], [Number.NaN])).toThrow("not negative")
    expect(() => optimalTransport([1], [1], [1, 2])).toThrow("supply × demand")
  })
})

function sum(values: ArrayLike<number>): number {
  return Array.from(values).reduce((total, value) => total + value, 0)
}

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, i) =>
    permutations([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]),
  )
}
