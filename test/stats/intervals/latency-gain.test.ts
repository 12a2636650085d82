import { describe, expect, it } from "vitest"
import { createRandom, type Random } from "../../../src/core/random.ts"
import {
  type LatencyPair,
  type LatencyStatistic,
  pairedLatencyGain,
} from "../../../src/stats/intervals/latency-gain.ts"
import { expectClose } from "../golden.ts"

interface Machine {
  readonly turns: number
  readonly perTurn: number
  /** Standard deviation of the machine's level on the logarithmic scale, which changes inside a turn, too. */
  readonly drift: number
  /** How much of the level stays from one half turn to the next. */
  readonly memory: number
  /** First call of the run takes ten times as long. */
  readonly coldStart?: boolean
}

/** Calls of two variants, the baseline first in each turn, on a machine that drifts. */
function measured(random: Random, { turns, perTurn, drift, memory, coldStart }: Machine, gain: number): LatencyPair[] {
  let level = drift * random.normal()
  const move = () => {
    level = memory * level + Math.sqrt(1 - memory * memory) * drift * random.normal()
  }
  const call = () => 100 * Math.exp(level + 0.1 * random.normal() + (random.next() < 0.03 ? 1 : 0))
  return Array.from({ length: turns }, (_, turn) => {
    move()
    const baseline = Array.from({ length: perTurn }, call)
    if (turn === 0 && coldStart) baseline[0] = 10 * (baseline[0] as number)
    move()
    return baseline.map((b, i) => ({ baseline: b, candidate: (1 - gain) * call(), turn, sample: `${turn}/${i}` }))
  }).flat()
}

const worlds = 400
const allowed = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / worlds)

describe("pairedLatencyGain", () => {
  const machines: readonly [string, Machine][] = [
    ["four turns", { turns: 4, perTurn: 25, drift: 0.2, memory: 0 }],
    ["ten turns, slow drift", { turns: 10, perTurn: 20, drift: 0.2, memory: 0.9 }],
    ["a cold start", { turns: 6, perTurn: 20, drift: 0.05, memory: 0, coldStart: true }],
    ["a turn per sample", { turns: 198, perTurn: 1, drift: 0.2, memory: 0.9 }],
  ]
  const statistics: readonly LatencyStatistic[] = ["typical", "mean", { quantile: 0.5 }, { quantile: 0.95 }]
  it.each(machines)("finds a gain between two names of one endpoint in at most 5 %% of runs: %s", (name, machine) => {
    for (const statistic of statistics) {
      let found = 0
      for (let world = 0; world < worlds; world++) {
        const pairs = measured(createRandom(`${name}/${world}`), machine, 0)
        const { low, high, p } = pairedLatencyGain(pairs, { statistic })
        const excluded = (low as number) > 0 || (high as number) < 0
        expect((p as number) < 0.05).toBe(excluded)
        found += Number(excluded)
      }
      expect(found / worlds, JSON.stringify(statistic)).toBeLessThanOrEqual(allowed)
    }
  })
  it("finds a gain of 10 % on a quiet machine in at least 85 % of runs of ten turns", () => {
    let found = 0
    for (let world = 0; world < 200; world++) {
      const machine = { turns: 10, perTurn: 20, drift: 0.05, memory: 0 }
      const { lowBound } = pairedLatencyGain(measured(createRandom(`gain/${world}`), machine, 0.1))
      found += Number((lowBound as number) > 0)
    }
    expect(found / 200).toBeGreaterThan(0.85)
  })
  it("is Student's t over the turns' means where turns are equal", () => {
    const ratios = [0.9, 0.8, 0.95, 0.85, 0.7]
    const pairs = ratios.flatMap((ratio, turn) =>
      [1, 2].map((base) => ({ baseline: base, candidate: base * ratio, turn })),
    )
    const { gain, low, p, degrees, turns } = pairedLatencyGain(pairs)
    // scipy 1.17.1, stats.ttest_1samp(np.log([.9, .8, .95, .85, .7]), 0).pvalue
    expectClose(p as number, 0.026962650333141523, 1e-9)
    expectClose(gain, 1 - Math.exp(ratios.reduce((sum, r) => sum + Math.log(r), 0) / 5), 1e-12)
    expectClose(degrees as number, 4, 1e-9)
    expect(turns).toBe(5)
    expect(low as number).toBeGreaterThan(0)
  })
  it("allows for samples that come back in every turn", () => {
    const random = createRandom("samples")
    const own = Array.from({ length: 8 }, () => 0.5 * random.normal())
    const pairs = Array.from({ length: 10 }, (_, turn) =>
      own.map((effect, i) => ({
        baseline: 100,
        candidate: 100 * Math.exp(effect + 0.01 * random.normal()),
        turn,
        sample: `s${i}`,
      })),
    ).flat()
    const named = pairedLatencyGain(pairs)
    const unnamed = pairedLatencyGain(pairs.map(({ baseline, candidate, turn }) => ({ baseline, candidate, turn })))
    expect(named.method).toContain("by sample")
    expect((named.high as number) - (named.low as number)).toBeGreaterThan(
      10 * ((unnamed.high as number) - (unnamed.low as number)),
    )
  })
  it("abstains under four turns and refuses what is no latency", () => {
    const pairs = [0, 1, 2].map((turn) => ({ baseline: 100, candidate: 50, turn }))
    const { abstain, low, p, gain } = pairedLatencyGain(pairs)
    expect(abstain).toBe("3 turns cannot tell a gain from the machine's drift: at least 4 are needed")
    expect([low, p]).toEqual([null, null])
    expectClose(gain, 0.5, 1e-12)
    expect(() => pairedLatencyGain([{ baseline: 0, candidate: 1, turn: 0 }])).toThrow(RangeError)
    expect(pairedLatencyGain([]).abstain).toContain("0 turns")
    expect(pairedLatencyGain(pairs.slice(0, 1)).abstain).toMatch(/^1 turn cannot tell/)
  })
})
