import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { dirichletLowerBound, dirichletP, dirichletUpperBound } from "../../../src/stats/intervals/dirichlet-bound.ts"
import { clopperPearsonInterval } from "../../../src/stats/intervals/proportion-interval.ts"
import { expectClose } from "../golden.ts"

describe("dirichletLowerBound", () => {
  it("is Clopper and Pearson's exact bound for values of 0 and 1", () => {
    for (const [right, n] of [
      [1, 1],
      [1, 2],
      [5, 5],
      [3, 10],
      [19, 20],
      [60, 200],
      [998, 1000],
      [99_000, 100_000],
    ] as const) {
      const values = Float64Array.from({ length: n }, (_, i) => Number(i < right))
      for (const alpha of [0.1, 0.05, 0.025, 0.01]) {
        const exact = clopperPearsonInterval(right, n, 2 * alpha)
        expectClose(dirichletLowerBound(values, 0, alpha), exact.low, 1e-7)
        if (right < n) expectClose(dirichletUpperBound(values, 1, alpha), exact.high, 1e-7)
      }
    }
  })
  it("is the mean at which the best of two explanations, by 400,000 random weightings, has the probability alpha", () => {
    const random = createRandom("weights")
    const values = [-0.5, 0, 0, 0, 0.4, 0.4, 0.9, -0.25]
    const draws = Float64Array.from({ length: 400_000 }, () => {
      let weight = 0
      let sum = 0
      for (const value of [...values, -0.5]) {
        const share = -Math.log(1 - random.next())
        weight += share
        sum += share * value
      }
      return sum / weight
    }).sort()
    const shareBelow = (mean: number) => (draws.findLastIndex((draw) => draw <= mean) + 1) / 400_000
    for (const alpha of [0.01, 0.05, 0.2]) {
      const bound = dirichletLowerBound(values, -1, alpha)
      const best = Math.max(
        ...Array.from({ length: 60 }, (_, i) => (1 - i / 100) ** 8 * shareBelow((bound + i / 100) / (1 - i / 100))),
      )
      expectClose(best, alpha, 0.02 * alpha)
      expectClose(dirichletP(values, -1, bound), alpha, 1e-6)
    }
  })
  it("is no more than 1e-9 above the mean at which the best explanation, by another integral and search, is alpha", () => {
    for (const [points, n] of [
      [[0.5, 0.75, 1], 10],
      [[0.5, 0.75, 1], 30],
      [[0.2, 0.6, 1], 10],
      [[0.5, 1], 5],
      [[0, 0.5, 1], 20],
    ] as const) {
      const values = Float64Array.from({ length: n }, (_, i) => points[(i + (i >> 2)) % points.length] as number)
      const [first = 0, ...others] = points.map((point) => values.filter((value) => value === point).length)
      for (const alpha of [0.05, 0.01]) {
        const bound = dirichletLowerBound(values, 0, alpha)
        const at = (mean: number) => bestLog(points, [first + 1, ...others], n, mean) - Math.log(alpha)
        const above = (at(bound) * 1e-6) / (at(bound) - at(bound - 1e-6))
        expect(Math.abs(above), `${points} ${n} ${alpha}`).toBeLessThan(1e-9)
      }
    }
  })
  it("is near Student's t for dense values, and as far off as one unseen loss for a few", () => {
    const dense = (n: number) => Array.from({ length: n }, (_, i) => 0.26 * (2 * ((i + 0.5) / n) - 1))
    const width = (n: number) => -dirichletLowerBound(dense(n), -1) / (0.15 / Math.sqrt(n))
    expect(width(30)).toBeGreaterThan(2.5)
    expect(width(100)).toBeLessThan(1.9)
    expect(width(400)).toBeLessThan(1.7)
  })
  it("mirrors with its data and moves with its scale", () => {
    const values = [0.3, -0.2, 0.05, 0.7, -0.9, 0.1]
    const low = dirichletLowerBound(values, -1)
    expectClose(
      dirichletUpperBound(
        values.map((v) => -v),
        1,
      ),
      -low,
      1e-9,
    )
    expectClose(
      dirichletLowerBound(
        values.map((v) => 100 * v + 7),
        -93,
      ),
      100 * low + 7,
      1e-7,
    )
  })
  it("keeps its value when thousands of distinct values are put on a grid", () => {
    const random = createRandom("grid")
    const few = Float64Array.from({ length: 2000 }, () => Math.round(random.next() * 900) / 900)
    const many = few.map((value, i) => Math.min(1, value + 1e-9 * i))
    const more = Float64Array.from({ length: 6000 }, (_, i) => (few[i % 2000] as number) + 1e-9 * (i % 7))
    expectClose(dirichletLowerBound(many, 0), dirichletLowerBound(few, 0), 1e-5)
    expect(dirichletLowerBound(more, 0)).toBeGreaterThan(dirichletLowerBound(few, 0))
  })
  it("gives the end of the range when nothing better was seen, and refuses what lies outside", () => {
    expect(dirichletLowerBound([0, 0, 0], 0)).toBe(0)
    expect(() => dirichletLowerBound([-0.5], 0)).toThrow(RangeError)
    expect(() => dirichletLowerBound([0.5], Number.NEGATIVE_INFINITY)).toThrow(RangeError)
    expect(() => dirichletLowerBound([0.5], 0, 0.6)).toThrow(RangeError)
  })
  it("passes the true mean in at most 5 % of worlds with rare large losses", () => {
    for (const [share, loss, noise, n] of [
      [0.02, 0.5, 0.02, 30],
      [0.05, 1, 0.1, 100],
      [0.1, 0.3, 0, 40],
    ] as const) {
      const worlds = 2000
      let wrong = 0
      for (let world = 0; world < worlds; world++) {
        const random = createRandom(`dirichlet/${share}/${world}`)
        const values = Float64Array.from(
          { length: n },
          () => (random.next() < share ? -loss : 0) + (noise === 0 ? 0 : noise * (random.next() - 0.5)),
        )
        wrong += Number(dirichletP(values, -1 - noise, -share * loss + 1e-12) < 0.05)
      }
      expect(wrong / worlds).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / worlds))
    }
  })
})

/** Logarithm of the largest product of the two probabilities that explain a mean, over shares of unseen cases at 0. */
function bestLog(values: readonly number[], counts: readonly number[], n: number, mean: number): number {
  const log = (share: number) =>
    n * Math.log1p(-share) +
    Math.log(
      Math.max(
        1e-300,
        imhofTail(
          values.map((value) => value - mean / (1 - share)),
          counts,
        ),
      ),
    )
  const grid = Array.from({ length: 60 }, (_, i) => (1 - mean) * (i / 60) ** 2)
  const peak = grid.reduce((best, share, i) => (log(share) > log(grid[best] as number) ? i : best), 0)
  let [low, high] = [grid[Math.max(0, peak - 1)] as number, grid[peak + 1] as number]
  for (let step = 0; step < 60; step++) {
    const [left, right] = [(2 * low + high) / 3, (low + 2 * high) / 3]
    if (log(left) > log(right)) high = right
    else low = left
  }
  return Math.max(log(grid[peak] as number), log((low + high) / 2))
}

/** P(Σ values × Gamma(counts) ≤ 0) by the integral of Imhof 1961, over the logarithm of its variable. */
function imhofTail(values: readonly number[], counts: readonly number[]): number {
  const step = 0.05
  let total = 0
  for (let x = -34; x < 12; x += step) {
    let [angle, size] = [0, 0]
    values.forEach((value, i) => {
      const part = value * Math.exp(x)
      angle += (counts[i] as number) * Math.atan(part)
      size += (counts[i] as number) * Math.log1p(part * part)
    })
    total += Math.sin(angle) * Math.exp(-size / 2)
  }
  return 0.5 - (total * step) / Math.PI
}
