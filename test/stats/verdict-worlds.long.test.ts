import { describe, expect, it } from "vitest"
import { membershipBins } from "../../benchmarks/stats/verdict-worlds.ts"
import { agentWorlds } from "../../benchmarks/verdicts/agents.ts"
import { cascadePromises, cascadeWorlds } from "../../benchmarks/verdicts/cascades.ts"
import { evalkit, peers } from "../../benchmarks/verdicts/rules.ts"
import {
  candidateErrors,
  coverage,
  extensionErrors,
  latencyErrors,
  lookCosts,
  lookErrors,
  plannedPower,
  quickFaults,
  simulate,
} from "../../benchmarks/verdicts/simulate.ts"
import { type World, worlds } from "../../benchmarks/verdicts/worlds.ts"
import { createRandom } from "../../src/core/random.ts"
import { sized } from "../support/nightly.ts"

/** The whole table is in benchmarks/verdicts/README.md; these are its cells with fewer runs and fixed seeds. */
const runs = sized(300, 60)
const allowed = 0.05 + 2.5 * Math.sqrt((0.05 * 0.95) / runs)

/** Worlds where the bound for any distribution decides, with the number of samples that a plan asks for there. */
const boundByBetting = [
  { name: "bounded, dense", planned: 166 },
  { name: "sparse, 5 % at ±.2", planned: 210 },
  { name: "rare large losses, 2 % lose .5", planned: 308 },
  { name: "clusters of 5, correlation .5", planned: 160 },
  { name: "whole clusters of 5 lost", planned: 380 },
  { name: "three repeats of each sample", planned: 45 },
] as const

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
  it("for ten candidates by Holm", () => {
    const { corrected, naive } = candidateErrors(runs)
    expect(corrected).toBeLessThanOrEqual(allowed)
    expect(naive).toBeGreaterThan(0.1)
  })
  it("for the looks of a run of unknown length, which need little more than the fixed number where the truth is 0", () => {
    const { samples, shown } = lookCosts(worlds[0] as World, 0, 264, 200)
    expect(lookErrors(200)).toBeLessThanOrEqual(0.05 + 2.5 * Math.sqrt((0.05 * 0.95) / 200))
    expect(lookErrors(200, worlds[0], true)).toBeGreaterThan(0.1)
    expect(samples).toBeLessThan(1.2)
    expect(shown).toBeGreaterThan(0.92)
    expect(lookCosts(worlds[0] as World, 0.05, 264, 200).samples).toBeLessThan(0.6)
  })
  it.each(boundByBetting)("for the looks of a run of unknown length: $name", ({ name, planned }) => {
    const world = worlds.find((entry) => entry.name === name) as World
    const lookRuns = sized(60, 12)
    expect(lookErrors(lookRuns, world)).toBeLessThanOrEqual(0.05 + 2.5 * Math.sqrt((0.05 * 0.95) / lookRuns))
    const { samples, shown } = lookCosts(world, 0, planned, lookRuns)
    expect(samples).toBeLessThanOrEqual(1.2)
    expect(shown).toBeGreaterThan(0.95)
    if (world.hasGains) expect(lookCosts(world, world.margin, planned, lookRuns).samples).toBeLessThanOrEqual(0.6)
  })
  it("for runs that are extended where they are open", () => {
    const { staged, naive } = extensionErrors(runs)
    expect(staged).toBeLessThanOrEqual(allowed)
    expect(naive).toBeGreaterThan(staged)
  })
})

describe("the power that a plan names, from a pilot and by the method that decides", () => {
  it.each(worlds)("is kept within 3 points: $name", (world) => {
    const powerRuns = sized(1000, 150)
    const { power, promised } = plannedPower(world, powerRuns)
    expect(promised).toBeGreaterThan(0.78)
    expect(Math.abs(power - promised)).toBeLessThan(0.03 + 2 * Math.sqrt((0.8 * 0.2) / powerRuns))
  })
  it.each([...worlds, ...agentWorlds])(
    "is simulated by a quick rule, which answers as the bound does: $name",
    (world) => {
      for (const n of [20, 50, 200]) expect(quickFaults(world, n, sized(200, 40))).toEqual([])
    },
  )
})

describe("the 95 % interval of 50 and 200 samples", () => {
  const coverageRuns = sized(1000, 150)
  const noise = 2 * Math.sqrt((0.05 * 0.95) / coverageRuns)
  it.each(worlds)("holds the truth in 93 to 97 % of runs: $name", (world) => {
    for (const n of [50, 200])
      for (const truth of [0, -world.margin]) {
        const covered = coverage(world, n, truth, coverageRuns)
        expect(covered, `n = ${n}, truth ${truth}`).toBeGreaterThan(0.93 - noise)
        // Losses that most runs do not show leave nothing to narrow the interval by: README.md says why.
        if (!world.isAllOrNothing) expect(covered, `n = ${n}, truth ${truth}`).toBeLessThan(0.97 + noise)
      }
  })
})

describe("a cascade is promised within the margin wrongly in at most 5 % of runs", () => {
  it.each(cascadeWorlds)("$name", (world) => {
    const cascadeRuns = sized(60, 20)
    const { beyond, promised, covered, naiveBeyond } = cascadePromises(world, 200, cascadeRuns)
    expect(beyond).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / cascadeRuns))
    if (promised > 0.5) expect(covered).toBeGreaterThan(0.87)
    expect(naiveBeyond).toBeGreaterThan(0.3)
  })
})

describe("a variant that is said to be on the frontier with 90 % and more is on it in at least 86 % of the worlds, from 30 samples", () => {
  it.each(["usual", "nearly all right"] as const)("%s", (kind) => {
    const last = membershipBins(sized(400, 240), 30, kind).at(-1)
    expect(last?.variants).toBeGreaterThan(sized(100, 60))
    expect(last?.trulyOn).toBeGreaterThanOrEqual(0.86)
  })
})

describe("two agents of known success with simulated users and groups of tasks", () => {
  const agentRuns = sized(300, 60)
  const noise = 2.5 * Math.sqrt((0.05 * 0.95) / agentRuns)
  it.each(agentWorlds)(
    "are decided wrongly in at most 5 %, and the interval holds the truth in 93 to 97 %: $name",
    (world) => {
      const { falseSwap, falseKeep } = simulate(world, evalkit, 100, agentRuns)
      expect(falseSwap).toBeLessThanOrEqual(0.05 + noise)
      expect(falseKeep).toBeLessThanOrEqual(0.05 + noise)
      for (const truth of [0, -world.margin]) {
        const covered = coverage(world, 100, truth, agentRuns)
        expect(covered, `truth ${truth}`).toBeGreaterThan(0.93 - noise)
        expect(covered, `truth ${truth}`).toBeLessThan(0.97 + noise)
      }
    },
  )
  it("have the success that they are said to have", () => {
    for (const world of agentWorlds) {
      const { differences } = world.draw(createRandom(world.name), 20_000, -world.margin)
      const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
      expect(Math.abs(mean + world.margin), world.name).toBeLessThan(0.02)
    }
  })
})
