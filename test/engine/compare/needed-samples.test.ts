import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../../src/core/random.ts"
import { compareMetric } from "../../../src/engine/compare/metric-comparison.ts"
import { samplesOfNewRun } from "../../../src/engine/compare/needed-samples.ts"
import { numberMetric, scoredVariant } from "../scored.ts"

const metric = numberMetric("exact match")
const margin = 0.05

/** n pairs of right and wrong answers: 5 % turn wrong and 5 % right, and `loss` more turn wrong. */
function finding(random: Random, n: number, loss: number) {
  const a = Array.from({ length: n }, () => ({ value: Number(random.next() < 0.5) }))
  const b = a.map(({ value }) => {
    const draw = random.next()
    if (value === 1) return { value: Number(draw >= 0.1 + 2 * loss) }
    return { value: Number(draw < 0.1) }
  })
  const rows = (name: string, stated: typeof a) => scoredVariant(name, metric.name, stated).rows.get(metric.name) ?? []
  return compareMetric(metric, rows("a", a), rows("b", b), { primary: true, margin, alpha: 0.05, seed: 1 })
}

const passes = (verdict: string) => verdict === "better" || verdict === "non_inferior"

describe("the samples that would settle an open question, as a new run", () => {
  it("keep their power when they are followed", () => {
    const random = createRandom("followed")
    let followed = 0
    let settled = 0
    for (let world = 0; world < 400; world++) {
      const pilot = finding(random, 100, 0)
      if (pilot.verdict !== "inconclusive" || pilot.neededN === null || pilot.neededN > 5000) continue
      followed++
      settled += Number(passes(finding(random, pilot.neededN, 0).verdict))
    }
    expect(followed).toBeGreaterThan(60)
    expect(settled / followed).toBeGreaterThan(0.77)
  })
  it("keep their error rate when the candidate loses exactly the margin", () => {
    const random = createRandom("at the margin")
    const worlds = 400
    let wrong = 0
    for (let world = 0; world < worlds; world++) {
      const pilot = finding(random, 100, margin)
      const last =
        pilot.verdict === "inconclusive" && pilot.neededN !== null && pilot.neededN < 5000
          ? finding(random, pilot.neededN, margin)
          : null
      wrong += Number(passes(last?.verdict ?? "open"))
    }
    expect(wrong / worlds).toBeLessThanOrEqual(0.05)
  })
  it("are not promised where the estimate lies too near the margin for what it is sure of", () => {
    expect(
      samplesOfNewRun({
        difference: -0.04,
        low: -0.073,
        high: -0.007,
        error: 0.02,
        samples: 100,
        margin: 0.05,
        alpha: 0.05,
        width: 1,
      }),
    ).toBeNull()
  })
  it("are at least what an unchanged model needs, where nothing differed", () => {
    const nothing = { difference: 0, error: 0, margin: 0.01, alpha: 0.05, width: 1 }
    expect(samplesOfNewRun({ ...nothing, low: -0.06, high: 0.06, samples: 40 })).toBe(268)
    // Clusters of unequal size bound less: 500 samples that leave 3 points open leave 1 point with 1,500.
    expect(samplesOfNewRun({ ...nothing, low: -0.03, high: 0.03, samples: 500 })).toBe(1500)
  })
})
