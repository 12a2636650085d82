import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { cohensKappa } from "../../../src/stats/agreement/cohen-kappa.ts"
import { krippendorffAlpha } from "../../../src/stats/agreement/krippendorff-alpha.ts"
import {
  alphaOfCounts,
  kappaOfCounts,
  type TwoRaterCounts,
  twoRaterInterval,
} from "../../../src/stats/agreement/two-rater-interval.ts"
import { bootstrapItems } from "../../../src/stats/resampling/items-bootstrap.ts"

/** Both raters say "yes" with probability p, and agree as much as kappa says. */
function drawCounts(n: number, p: number, kappa: number, seed: string): TwoRaterCounts {
  const random = createRandom(seed)
  const both = p * p + kappa * p * (1 - p)
  const counts: [number, number, number, number] = [0, 0, 0, 0]
  for (let i = 0; i < n; i++) {
    const u = random.next()
    counts[u < both ? 0 : u < p ? 1 : u < 2 * p - both ? 2 : 3]++
  }
  return counts
}

function itemsOf([both, first, second, neither]: TwoRaterCounts) {
  const item = (a: number, b: number, count: number) => Array.from({ length: count }, () => ({ a, b }))
  return [...item(1, 1, both), ...item(1, 0, first), ...item(0, 1, second), ...item(0, 0, neither)]
}

describe("twoRaterInterval", () => {
  const worlds = 300
  it.each([
    [20, 0.9, 0.3],
    [20, 0.9, 0.6],
    [20, 0.9, 0.9],
    [50, 0.9, 0.6],
    [50, 0.95, 0.3],
    [100, 0.9, 0.9],
    [100, 0.5, 0.6],
  ])("holds kappa in 92 % or more of the worlds in which it is given: n %d, p %d, kappa %d", (n, p, kappa) => {
    let count = 0
    let covered = 0
    for (let world = 0; world < worlds; world++) {
      const counts = drawCounts(n, p, kappa, `kappa/${n}/${p}/${kappa}/${world}`)
      const bounds = twoRaterInterval(counts, kappaOfCounts, { seed: world, draws: 400 })
      if (!bounds) continue
      count++
      covered += Number(bounds.low <= kappa && kappa <= bounds.high)
    }
    expect(count).toBeGreaterThan(90)
    expect(covered / count).toBeGreaterThanOrEqual(0.95 - 2.5 * Math.sqrt((0.95 * 0.05) / count))
  })
  it("where a bootstrap held it in under 80 %", () => {
    let covered = 0
    for (let world = 0; world < 200; world++) {
      const items = itemsOf(drawCounts(20, 0.9, 0.6, `kappa/20/0.9/0.6/${world}`))
      const kappa = (list: readonly { readonly a: number; readonly b: number }[]) =>
        cohensKappa(
          list.map(({ a }) => a),
          list.map(({ b }) => b),
        )
      const { low, high } = bootstrapItems(items, kappa, { seed: world, resamples: 200 })
      covered += Number(low !== null && high !== null && low <= 0.6 && 0.6 <= high)
    }
    expect(covered / 200).toBeLessThan(0.8)
  })
  it("is not given where the rarer answer hardly occurs", () => {
    expect(twoRaterInterval([18, 1, 1, 0], kappaOfCounts, { seed: 1 })).toBeNull()
    expect(twoRaterInterval([15, 1, 2, 2], kappaOfCounts, { seed: 1 })).not.toBeNull()
  })
  it("reads the coefficients from counts as from the ratings", () => {
    const counts: TwoRaterCounts = [11, 3, 2, 4]
    const items = itemsOf(counts)
    const [first, second] = [items.map(({ a }) => a), items.map(({ b }) => b)]
    expect(kappaOfCounts(counts)).toBeCloseTo(cohensKappa(first, second), 12)
    // 1 − alpha has the factor (2n − 1) / 2n for few items.
    const alpha = krippendorffAlpha(items.map(({ a, b }) => [a, b]))
    expect(1 - (1 - alphaOfCounts(counts)) * (39 / 40)).toBeCloseTo(alpha, 12)
  })
})
