import { describe, expect, it } from "vitest"
import { compareVariants } from "../../../src/analyse/compare/compare.ts"
import type { ItemDifficulty } from "../../../src/analyse/compare/difficulty/item-difficulty.ts"
import { createRandom } from "../../../src/core/random.ts"
import { numberMetric, scoredVariant } from "../../support/scored.ts"

const metric = numberMetric("score")
const n = 200

/** A candidate that loses what earlier runs found hard: they know 2,200 items, of which 200 are asked. */
function compared(difficulty?: ItemDifficulty) {
  const random = createRandom("difficulty")
  const hard = Array.from({ length: n }, () => random.next())
  const side = (name: string, lost: number) =>
    scoredVariant(
      name,
      "score",
      hard.map((it, i) => ({ id: `s${i}`, value: 0.9 - lost * it - 0.01 * random.next() })),
    )
  const settings = { metrics: [metric], primary: ["score"], margin: 0.02, alpha: 0.05, seed: 1 }
  return compareVariants({
    baseline: side("a", 0),
    candidate: side("b", 0.6),
    ...settings,
    ...(difficulty && { difficulty: new Map([["score", difficulty]]) }),
  }).metrics[0]
}

function knownDifficulty(): ItemDifficulty {
  const random = createRandom("difficulty")
  const asked = Array.from({ length: n }, (_, i) => [`item ${i}`, 1 - random.next()] as const)
  const others = Array.from({ length: 2000 }, (_, i) => [`other ${i}`, (i + 0.5) / 2000] as const)
  return {
    runs: ["r1"],
    scores: new Map([...asked, ...others]),
    contentOf: new Map(asked.map(([item], i) => [`s${i}`, item])),
  }
}

describe("a difference that is adjusted by how hard earlier runs found its samples", () => {
  it("keeps its interval around it, each end as much nearer as the difficulty explains", () => {
    const [plain, adjusted] = [compared(), compared(knownDifficulty())]
    const covariate = adjusted?.covariate as { varianceRatio: number; plainDifference: number }
    expect(covariate.plainDifference).toBeCloseTo(plain?.difference as number, 12)
    expect(covariate.varianceRatio).toBeLessThan(0.5)
    const [before, after] = [plain, adjusted].map((it) => {
      const { difference, low, high } = it as Readonly<Record<"difference" | "low" | "high", number>>
      return [difference - low, high - difference]
    })
    for (const side of [0, 1]) {
      const ratio = (after?.[side] ?? 0) / (before?.[side] ?? 1)
      expect(ratio).toBeGreaterThanOrEqual(Math.sqrt(covariate.varianceRatio) - 1e-9)
      expect(ratio).toBeLessThan(0.9)
    }
  })
})
