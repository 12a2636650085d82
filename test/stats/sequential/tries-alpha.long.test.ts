import { expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { pairedBound } from "../../../src/stats/intervals/paired-bound.ts"
import { triesAlpha } from "../../../src/stats/sequential/tries-alpha.ts"

/** How often one of ten prompts, each worse by just the margin on average, is found not to be worse on the same set. */
function falseShare(alphaOf: (before: number) => number): number {
  const [simulations, samples, margin, tries] = [400, 300, 0.05, 10]
  let count = 0
  for (let simulation = 0; simulation < simulations; simulation++) {
    const random = createRandom(`tries-${simulation}`)
    const wasRight = Array.from({ length: samples }, () => random.next() < 0.8)
    for (let before = 1; before <= tries; before++) {
      // Right answers are lost with probability 1/8, wrong ones won with 1/4: 0.8 · 1/8 − 0.2 · 1/4 is the margin.
      const differences = Float64Array.from(wasRight, (right) =>
        right ? -Number(random.next() < 1 / 8) : Number(random.next() < 1 / 4),
      )
      const { low } = pairedBound(differences, { range: [0, 1], alpha: alphaOf(before), side: "lower" })
      if (low === null || low <= -margin) continue
      count++
      break
    }
  }
  return count / simulations
}

it("lets ten tries of prompts that are no better pass in at most alpha, where the same rate each time does not", {
  timeout: 300_000,
}, () => {
  const spent = falseShare((before) => triesAlpha(0.05, before))
  const unspent = falseShare(() => 0.05)
  console.log({ spent, unspent })
  const error = 3 * Math.sqrt((0.05 * 0.95) / 400)
  expect(spent).toBeLessThanOrEqual(0.05 + error)
  expect(unspent).toBeGreaterThan(0.2)
})
