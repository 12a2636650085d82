import { describe, expect, it } from "vitest"
import { compareCandidates } from "../../../src/analyse/compare/compare-candidates.ts"
import { compareMetric } from "../../../src/analyse/compare/metric-comparison.ts"
import type { AnyMetric } from "../../../src/core/metric/metric.ts"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { numberMetric, type Stated, scoredVariant } from "../../support/scored.ts"

const settings = {
  metrics: [numberMetric("exact match")],
  primary: ["exact match"],
  margin: 0.05,
  alpha: 0.05,
  seed: 1,
}

/** A baseline and candidates that lose, in truth, exactly the margin. */
function atTheMargin(random: Random, n: number, candidates: number) {
  const base = Array.from({ length: n }, (): Stated => ({ value: 1, facts: { costUsd: 0.002 } }))
  const other = () =>
    base.map((entry): Stated => ({ ...entry, value: Number(random.next() >= 0.05), facts: { costUsd: 0.001 } }))
  return {
    baseline: scoredVariant("base", "exact match", base),
    candidates: Array.from({ length: candidates }, (_, i) => scoredVariant(`c${i}`, "exact match", other())),
  }
}

describe("several candidates at the margin", () => {
  it("are swapped to falsely in at most alpha of the runs, where each alone would pass too often", () => {
    const random = createRandom("ten candidates")
    const runs = 100
    let together = 0
    let alone = 0
    for (let run = 0; run < runs; run++) {
      const world = atTheMargin(random, 120, 10)
      together += Number(compareCandidates({ ...settings, ...world }).some(({ verdict }) => verdict === "swap"))
      alone += Number(
        world.candidates.some((own) => {
          const rows = (side: typeof own) => side.rows.get("exact match") ?? []
          const metric = settings.metrics[0] as AnyMetric
          const { verdict } = compareMetric(metric, rows(world.baseline), rows(own), { ...settings, primary: true })
          return verdict !== "inconclusive" && verdict !== "inferior"
        }),
      )
    }
    expect(alone / runs).toBeGreaterThan(0.15)
    // Two standard errors of 100 runs above 5 %.
    expect(together / runs).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs))
  })
  it("say by which error rate they were decided", () => {
    const world = atTheMargin(createRandom(3), 400, 4)
    const [first] = compareCandidates({ ...settings, margin: 0.2, ...world })
    expect(first?.verdict).toBe("swap")
    expect(first?.method?.join("\n")).toContain('Holm over 4 candidates for "not worse"')
    expect(first?.method?.[0]).toMatch(
      /decided by the one-sided bound at an error rate of 0\.\d+ against the margin .*; n = [\d,]+ samples; each sample is its own cluster; nothing is missing; read once/,
    )
    // Holm: all four pass at alpha / 4.
    expect(first?.metrics[0]?.boundAlpha).toBe(0.0125)
    expect(first?.sentence).toContain("(98.75 % confidence")
  })
  it("lets those that pass make it easier for the rest", () => {
    const random = createRandom(11)
    const { baseline, candidates } = atTheMargin(random, 400, 1)
    const clear = baseline.rows.get("exact match") ?? []
    const same = { ...baseline, name: "same", rows: new Map([["exact match", clear]]) }
    const margin = 0.0801
    const alone = compareCandidates({ ...settings, margin, baseline, candidates })[0]?.metrics[0]
    const both = compareCandidates({ ...settings, margin, baseline, candidates: [same, ...candidates] })
    expect(both[0]?.metrics[0]?.boundAlpha).toBe(0.025)
    // Either it passes with the first at alpha / 2, or it is judged at the whole of alpha once the first has passed.
    expect([alone?.boundAlpha, both[1]?.metrics[0]?.verdict]).toEqual([0.05, alone?.verdict])
  })
})
