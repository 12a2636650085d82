import { createRandom } from "../../src/core/random.ts"
import { pairedLatencyGain } from "../../src/stats/intervals/latency-gain.ts"
import { pairedBound, pairedMeanLiesAbove } from "../../src/stats/intervals/paired-bound.ts"
import { groupUnits } from "../../src/stats/resampling/units.ts"
import { sequentialDesign } from "../../src/stats/sequential/alpha-spending.ts"
import { lookLadder } from "../../src/stats/sequential/look-ladder.ts"
import { readingLevel, stagedLowerBound } from "../../src/stats/sequential/staged-bound.ts"
import { samplesForPower } from "../../src/stats/tests/bound-power.ts"
import { pairedTTest } from "../../src/stats/tests/t-test.ts"
import { evalkit, type Rule } from "./rules.ts"
import { type Observed, type World, worlds } from "./worlds.ts"

/** Shares of runs, 0..1. */
export interface Cell {
  /** Swap at a truth of −margin: wrong. */
  readonly falseSwap: number
  /** Swap at a truth of 0: right. */
  readonly power: number
  /** Keep at a truth of 0: wrong. */
  readonly falseKeep: number
}

/** Units of the pilot that a plan is made from. */
const plannedPilot = 20_000

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

/** Share of runs in which the two-sided 95 % interval holds the truth. */
export function coverage(world: World, n: number, truth: number, runs: number): number {
  let held = 0
  for (let run = 0; run < runs; run++) {
    const { low, high } = boundOf(world.draw(createRandom(`${world.name}/${n}/${truth}/${run}`), n, truth))
    held += Number((low ?? -1) <= truth && truth <= (high ?? 1))
  }
  return held / runs
}

/** What a plan from a large pilot asks for 80 % power at a truth of 0, what it promises there, and the power that it has. */
export function plannedPower(
  world: World,
  runs: number,
): { readonly samples: number; readonly promised: number; readonly power: number } {
  const pilot = world.draw(createRandom(`${world.name}/pilot`), plannedPilot, 0)
  const differences = Float64Array.from([...pilot.differences, ...pilot.failures])
  const units = pilot.clusters
    ? groupUnits(differences, [...pilot.clusters])
    : { sums: differences, sizes: new Float64Array(differences.length).fill(1), single: true }
  const plan = samplesForPower({ units, width: 1 }, { margin: world.margin })
  if (!plan) throw new RangeError(`${world.name}: no plan`)
  const samples = Math.round((plan.samples * plannedPilot) / differences.length)
  let passed = 0
  for (let run = 0; run < runs; run++) {
    const observed = world.draw(createRandom(`${world.name}/planned/${run}`), samples, 0)
    passed += Number(evalkit.decide(observed, world.margin, "") === "swap")
  }
  return { samples, promised: plan.power, power: passed / runs }
}

function boundOf({ differences, failures, clusters }: Observed) {
  return pairedBound([...differences, ...failures], { range: [0, 1], ...(clusters && { clusters: [...clusters] }) })
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

/**
 * Ten candidates on the margin: share of runs in which any is swapped to, by Holm over candidates and without a correction.
 * Where all are on the margin, Holm's first step decides: one passes at alpha / 10, or none does.
 */
export function candidateErrors(runs: number): { readonly corrected: number; readonly naive: number } {
  const world = worlds[0] as World
  const candidates = Array.from({ length: 10 }, (_, candidate) => candidate)
  let corrected = 0
  let naive = 0
  for (let run = 0; run < runs; run++) {
    const drawn = candidates.map(
      (candidate) => world.draw(createRandom(`candidates/${run}/${candidate}`), 200, -world.margin).differences,
    )
    const passes = (alpha: number) =>
      drawn.some((one) => (pairedBound(one, { range: [0, 1], alpha }).lowBound as number) > -world.margin)
    corrected += Number(passes(0.05 / candidates.length))
    naive += Number(passes(0.05))
  }
  return { corrected: corrected / runs, naive: naive / runs }
}

/** Most samples of a run that is asked until it is decided. */
const mostAsked = 600

/** Samples at which a run of up to 600 is first shown to be as good, looked at as `--until decided` does; null where it is not. */
function stopsAt(world: World, seed: string, truth: number, levelOf: (look: number) => number): number | null {
  const drawn = world.draw(createRandom(seed), mostAsked, truth)
  const { clusters, failures } = drawn
  const all = [...drawn.differences, ...failures]
  // Failures come among the answers, in any order.
  const differences = failures.length === 0 ? all : createRandom(`${seed}/order`).shuffle(all)
  const values = differences.length / mostAsked
  const found = lookLadder(mostAsked).findIndex((n, look) => {
    const seen = Float64Array.from(differences.slice(0, n * values))
    const units = clusters
      ? groupUnits(seen, clusters.slice(0, n * values))
      : { sums: seen, sizes: new Float64Array(n).fill(1), single: true }
    return pairedMeanLiesAbove(units, -world.margin, { width: 1, alpha: levelOf(look) })
  })
  return found < 0 ? null : (lookLadder(mostAsked)[found] as number)
}

/** The looks of `--until decided` at a run on the margin, as planned and at alpha each time. */
export function lookErrors(
  runs: number,
  world = worlds[0] as World,
): { readonly planned: number; readonly naive: number } {
  const { levels } = sequentialDesign(lookLadder(mostAsked), { spending: "looks" })
  let planned = 0
  let naive = 0
  for (let run = 0; run < runs; run++) {
    planned += Number(stopsAt(world, `looks/${run}`, -world.margin, (look) => levels[look] as number) !== null)
    naive += Number(stopsAt(world, `looks/${run}`, -world.margin, () => 0.05) !== null)
  }
  return { planned: planned / runs, naive: naive / runs }
}

/** What `--until decided` asks at a true difference, as a share of `fixed` samples, and how many runs show it by 600. */
export function lookCosts(
  world: World,
  truth: number,
  fixed: number,
  runs: number,
): { readonly samples: number; readonly shown: number } {
  const { levels } = sequentialDesign(lookLadder(mostAsked), { spending: "looks" })
  let samples = 0
  let shown = 0
  for (let run = 0; run < runs; run++) {
    const end = stopsAt(world, `free/${run}`, truth, (look) => levels[look] as number)
    samples += (end ?? mostAsked) / fixed
    shown += Number(end !== null)
  }
  return { samples: samples / runs, shown: shown / runs }
}

/**
 * A run of 200 samples that is extended to 500 wherever the first reading leaves it open, on the margin: by its conditional
 * error, and read twice at alpha.
 */
export function extensionErrors(runs: number): { readonly staged: number; readonly naive: number } {
  const world = worlds[0] as World
  let staged = 0
  let naive = 0
  for (let run = 0; run < runs; run++) {
    const { differences } = world.draw(createRandom(`extension/${run}`), 500, -world.margin)
    const bound = (some: readonly number[]) => (alpha: number) =>
      pairedBound(some, { range: [0, 1], alpha }).lowBound as number
    const first = bound(differences.slice(0, 200))
    staged += Number(
      first(readingLevel(0.05, true)) > -world.margin ||
        stagedLowerBound([first, bound(differences.slice(200))]) > -world.margin,
    )
    naive += Number(first(0.05) > -world.margin || bound(differences)(0.05) > -world.margin)
  }
  return { staged: staged / runs, naive: naive / runs }
}
