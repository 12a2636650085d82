import { createRandom } from "../../src/core/random.ts"
import { pairedLatencyGain } from "../../src/stats/intervals/latency-gain.ts"
import { pairedBound } from "../../src/stats/intervals/paired-bound.ts"
import { sequentialDesign } from "../../src/stats/sequential/alpha-spending.ts"
import { pairedTTest } from "../../src/stats/tests/t-test.ts"
import type { Rule } from "./rules.ts"
import { type World, worlds } from "./worlds.ts"

/** Shares of runs, 0..1. */
export interface Cell {
  /** Swap at a truth of −margin: wrong. */
  readonly falseSwap: number
  /** Swap at a truth of 0: right. */
  readonly power: number
  /** Keep at a truth of 0: wrong. */
  readonly falseKeep: number
}

/** One rule in one world with n samples, over `runs` seeded runs at each truth. */
export function simulate(world: World, rule: Rule, n: number, runs: number): Cell {
  const share = (truth: number, answer: "swap" | "keep") => {
    let count = 0
    for (let run = 0; run < runs; run++) {
      const observed = world.draw(createRandom(`${world.name}/${n}/${truth}/${run}`), n, truth)
      count += Number(rule.decide(observed, world.margin, `rule/${run}`) === answer)
    }
    return count / runs
  }
  return { falseSwap: share(-world.margin, "swap"), power: share(0, "swap"), falseKeep: share(0, "keep") }
}

/** False gains of two names for one endpoint on a machine that drifts from turn to turn: ours, and t over calls. */
export function latencyErrors(runs: number): { readonly blocked: number; readonly naive: number } {
  let blocked = 0
  let naive = 0
  for (let run = 0; run < runs; run++) {
    const random = createRandom(`latency/${run}`)
    const pairs = Array.from({ length: 8 }, (_, turn) => {
      const [before, after] = [0.1 * random.normal(), 0.1 * random.normal()]
      return Array.from({ length: 20 }, () => ({
        baseline: 100 * Math.exp(before + 0.1 * random.normal()),
        candidate: 100 * Math.exp(after + 0.1 * random.normal()),
        turn,
      }))
    }).flat()
    blocked += Number((pairedLatencyGain(pairs).p as number) < 0.05)
    const test = pairedTTest(
      pairs.map(({ baseline }) => baseline),
      pairs.map(({ candidate }) => candidate),
    )
    naive += Number(test.p < 0.05)
  }
  return { blocked: blocked / runs, naive: naive / runs }
}

/** Five candidates on the margin: share of runs in which any is swapped to, with alpha shared out (Bonferroni) and without. */
export function candidateErrors(runs: number): { readonly corrected: number; readonly naive: number } {
  const world = worlds[0] as World
  let corrected = 0
  let naive = 0
  for (let run = 0; run < runs; run++) {
    const passes = (alpha: number) =>
      [0, 1, 2, 3, 4].some((candidate) => {
        const { differences } = world.draw(createRandom(`candidates/${run}/${candidate}`), 200, -world.margin)
        return (pairedBound(differences, { range: [0, 1], alpha }).lowBound as number) > -world.margin
      })
    corrected += Number(passes(0.01))
    naive += Number(passes(0.05))
  }
  return { corrected: corrected / runs, naive: naive / runs }
}

/** Ten looks at a run on the margin, planned and at alpha each time; and the share of samples used where the truth is 0. */
export function lookErrors(runs: number): {
  readonly planned: number
  readonly naive: number
  readonly samples: number
} {
  const world = worlds[0] as World
  const looks = Array.from({ length: 10 }, (_, i) => 60 * (i + 1))
  const { levels } = sequentialDesign(looks)
  const stopsAt = (seed: string, truth: number, levelOf: (look: number) => number): number | null => {
    const { differences } = world.draw(createRandom(seed), 600, truth)
    const found = looks.findIndex((n, look) => {
      const bound = pairedBound(differences.slice(0, n), { range: [0, 1], alpha: levelOf(look) })
      return (bound.lowBound as number) > -world.margin
    })
    return found < 0 ? null : (looks[found] as number)
  }
  let planned = 0
  let naive = 0
  let samples = 0
  for (let run = 0; run < runs; run++) {
    planned += Number(stopsAt(`looks/${run}`, -world.margin, (look) => levels[look] as number) !== null)
    naive += Number(stopsAt(`looks/${run}`, -world.margin, () => 0.05) !== null)
    samples += (stopsAt(`free/${run}`, 0, (look) => levels[look] as number) ?? 600) / 600
  }
  return { planned: planned / runs, naive: naive / runs, samples: samples / runs }
}
