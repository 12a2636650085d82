import { describe, expect, it } from "vitest"
import { membershipBins } from "../../benchmarks/stats/verdict-worlds.ts"
import { cascadePromises, cascadeWorlds } from "../../benchmarks/verdicts/cascades.ts"
import { evalkit, peers } from "../../benchmarks/verdicts/rules.ts"
import { candidateErrors, latencyErrors, lookErrors, simulate } from "../../benchmarks/verdicts/simulate.ts"
import { worlds } from "../../benchmarks/verdicts/worlds.ts"

/** The whole table is in benchmarks/verdicts/README.md; these are its cells with fewer runs and fixed seeds. */
const runs = 300
const allowed = 0.05 + 2.5 * Math.sqrt((0.05 * 0.95) / runs)

describe("a swap is granted on the margin in at most 5 % of runs, and an equal candidate is refused in at most 5 %", () => {
  it.each(worlds)("$name", (world) => {
    for (const n of [20, 50]) {
      const { falseSwap, falseKeep } = simulate(world, evalkit, n, runs)
      expect(falseSwap, `false swap, n = ${n}`).toBeLessThanOrEqual(allowed)
      expect(falseKeep, `false keep, n = ${n}`).toBeLessThanOrEqual(allowed)
    }
  })
  it("and the point estimate grants it in about half of them", () => {
    const world = worlds[0]
    const rule = peers.find(({ name }) => name === "point estimate")
    if (!world || !rule) throw new Error("no such world or rule")
    expect(simulate(world, rule, 50, runs).falseSwap).toBeGreaterThan(0.3)
  })
})

describe("decisions over turns, candidates and looks keep 5 %", () => {
  it("for the latency of two names of one endpoint, where t over calls does not", () => {
    const { blocked, naive } = latencyErrors(runs)
    expect(blocked).toBeLessThanOrEqual(allowed)
    expect(naive).toBeGreaterThan(0.3)
  })
  it("for five candidates with alpha shared out", () => {
    const { corrected, naive } = candidateErrors(runs)
    expect(corrected).toBeLessThanOrEqual(allowed)
    expect(naive).toBeGreaterThan(0.1)
  })
  it("for ten planned looks, which need fewer samples where the truth is 0", () => {
    const { planned, naive, samples } = lookErrors(runs)
    expect(planned).toBeLessThanOrEqual(allowed)
    expect(naive).toBeGreaterThan(0.1)
    expect(samples).toBeLessThan(0.8)
  })
})

describe("a cascade is promised within the margin wrongly in at most 5 % of runs", () => {
  it.each(cascadeWorlds)("$name", (world) => {
    const cascadeRuns = 60
    const { beyond, promised, covered, naiveBeyond } = cascadePromises(world, 200, cascadeRuns)
    expect(beyond).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / cascadeRuns))
    if (promised > 0.5) expect(covered).toBeGreaterThan(0.87)
    expect(naiveBeyond).toBeGreaterThan(0.3)
  })
})

describe("a variant that is said to be on the frontier with 90 % and more is on it in at least 86 % of the worlds, from 30 samples", () => {
  it.each(["usual", "nearly all right"] as const)("%s", (kind) => {
    const last = membershipBins(400, 30, kind).at(-1)
    expect(last?.variants).toBeGreaterThan(100)
    expect(last?.trulyOn).toBeGreaterThanOrEqual(0.86)
  })
})
