import { describe, expect, it } from "vitest"
import { createRandom } from "../../../src/core/random.ts"
import { createStoppingRule, stoppingObstacle } from "../../../src/engine/run/early-stopping.ts"
import { numberMetric } from "../scored.ts"

const metrics = [{ name: "m", direction: "higher", range: [0, 1] }] as const

/** Plays a run: each answer is right, with these shares lost and won by the candidate; returns how it was settled. */
function play(seed: string, lost: number, won: number, samples: number, margin = 0.05) {
  const random = createRandom(seed)
  const rule = createStoppingRule({ candidates: ["c"], metrics, margin, alpha: 0.05 })
  for (let i = 0; i < samples && rule.open().length > 0; i++) {
    const u = random.next()
    rule.add("c", "m", u >= lost && u < lost + won ? 0 : 1, u < lost ? 0 : 1)
  }
  return rule.states()[0]
}

describe("createStoppingRule", () => {
  it("decides wrongly in at most 5 % of 2,000 runs at the margin, looking after every sample", () => {
    let wrong = 0
    for (let world = 0; world < 2000; world++) {
      // The true difference is −margin: neither verdict is right.
      if (play(`null/${world}`, 0.08, 0.03, 250)?.status !== "open") wrong++
    }
    expect(wrong / 2000).toBeLessThanOrEqual(0.05)
  })
  it("stops early where the difference is plain", () => {
    const inferior = play("plain", 0.3, 0.02, 1000)
    expect(inferior).toMatchObject({ candidate: "c", status: "inferior" })
    expect(inferior?.samples).toBeLessThan(200)
    const same = play("same", 0.01, 0.01, 1000)
    expect(same?.status).toBe("non_inferior")
    expect(same?.samples).toBeLessThan(500)
  })
  it("keeps asking only for candidates that are open, and shares the error rate among all", () => {
    const rule = createStoppingRule({ candidates: ["bad", "same"], metrics, margin: 0.05, alpha: 0.05 })
    for (let i = 0; i < 60; i++) {
      rule.add("bad", "m", 1, i % 2)
      rule.add("same", "m", i % 2, i % 2)
    }
    expect(rule.open()).toEqual(["same"])
    expect(rule.guarantee).toContain("at least 95 %")
    const before = rule.states()[0]?.samples
    rule.add("bad", "m", 1, 1)
    expect(rule.states()[0]?.samples).toBe(before)
  })
  it("needs every primary metric for non-inferior and one for inferior", () => {
    const two = [...metrics, { name: "errors", direction: "lower", range: [0, 1] }] as const
    const rule = createStoppingRule({ candidates: ["c"], metrics: two, margin: 0.05, alpha: 0.05 })
    for (let i = 0; i < 300; i++) {
      rule.add("c", "m", 1, 1)
      rule.add("c", "errors", 0, Number(i % 3 === 0))
    }
    expect(rule.states()).toMatchObject([{ status: "inferior" }])
  })
})

describe("stoppingObstacle", () => {
  it("names what cannot be stopped on", () => {
    expect(stoppingObstacle(numberMetric("rate"))).toBeNull()
    expect(stoppingObstacle(numberMetric("ms", { range: [0, Number.POSITIVE_INFINITY] }))).toContain(
      "no smallest and largest",
    )
    expect(stoppingObstacle({ ...numberMetric("bleu"), aggregation: { kind: "rows" } })).toContain("not a mean")
  })
})
