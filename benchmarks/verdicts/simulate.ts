import { betSamples } from "../../src/analyse/interim/bet-samples.ts"
import { createRandom } from "../../src/core/random.ts"
import { pairedBound, pairedMeanLiesAbove } from "../../src/stats/intervals/paired-bound.ts"
import { groupUnits } from "../../src/stats/resampling/units.ts"
import { roundedDifferences } from "../../src/stats/rounded.ts"
import { anytimeLowerBound } from "../../src/stats/sequential/anytime-lower-bound.ts"
import { lookLadder } from "../../src/stats/sequential/look-ladder.ts"
import { lookLevels } from "../../src/stats/sequential/look-levels.ts"
import { readingLevel, stagedLowerBound } from "../../src/stats/sequential/staged-bound.ts"
import { samplesForPower } from "../../src/stats/tests/bound-power.ts"
import { pairedTTest } from "../../src/stats/tests/t-test.ts"
import { type Answer, answerOf, boundOf, evalkit, type Rule } from "./rules.ts"
import { falseGains, runOfTurns } from "./turns.ts"
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
  const answers = (truth: number) =>
    Array.from({ length: runs }, (_, run) =>
      rule === evalkit
        ? readingOf(world, n, truth, run).answer
        : rule.decide(drawn(world, n, truth, run), world.margin, `rule/${run}`),
    )
  const [onMargin, equal] = [answers(-world.margin), answers(0)]
  const share = (some: readonly Answer[], answer: Answer) => some.filter((entry) => entry === answer).length / runs
  return { falseSwap: share(onMargin, "swap"), power: share(equal, "swap"), falseKeep: share(equal, "keep") }
}

/** Share of runs in which the two-sided 95 % interval holds the truth. */
export function coverage(world: World, n: number, truth: number, runs: number): number {
  let held = 0
  for (let run = 0; run < runs; run++) {
    const { low, high } = readingOf(world, n, truth, run)
    held += Number((low ?? -1) <= truth && truth <= (high ?? 1))
  }
  return held / runs
}

const drawn = (world: World, n: number, truth: number, run: number): Observed =>
  world.draw(createRandom(`${world.name}/${n}/${truth}/${run}`), n, truth)

/** What evalkit reads of a run: its interval, and its answer. */
interface Reading {
  readonly low: number | null
  readonly high: number | null
  readonly answer: Answer
}

const readings = new Map<string, Reading>()

/** A run that was read is not read again: decisions and coverage are of the same runs. */
function readingOf(world: World, n: number, truth: number, run: number): Reading {
  const key = `${world.name}/${n}/${truth}/${run}`
  const cached = readings.get(key)
  if (cached) return cached
  const bound = boundOf(drawn(world, n, truth, run))
  const reading = { low: bound.low, high: bound.high, answer: answerOf(bound, world.margin) }
  readings.set(key, reading)
  return reading
}

/** Runs, half of them on the margin, where the quick rule of {@link plannedPower} and the bound differ about a swap. */
export function quickFaults(world: World, n: number, runs: number): readonly string[] {
  return [0, -world.margin].flatMap((truth) =>
    Array.from({ length: runs / 2 }, (_, run) => run)
      .filter(
        (run) => isSwap(world, drawn(world, n, truth, run)) !== (readingOf(world, n, truth, run).answer === "swap"),
      )
      .map((run) => `n ${n}, truth ${truth}, run ${run}`),
  )
}

/** Whether evalkit swaps, at a tenth of the cost of its bounds. */
function isSwap({ margin }: World, observed: Observed): boolean {
  const values = roundedDifferences([...observed.differences, ...observed.failures])
  return pairedMeanLiesAbove(unitsOf(values, observed.clusters), -margin, { width: 1, alpha: 0.05 })
}

function unitsOf(differences: Float64Array, clusters: readonly string[] | undefined) {
  return clusters
    ? groupUnits(differences, [...clusters])
    : { sums: differences, sizes: new Float64Array(differences.length).fill(1), single: true }
}

/** What a plan from a large pilot asks for 80 % power at a truth of 0, what it promises there, and the power that it has. */
export function plannedPower(
  world: World,
  runs: number,
): { readonly samples: number; readonly promised: number; readonly power: number } {
  const pilot = world.draw(createRandom(`${world.name}/pilot`), plannedPilot, 0)
  const differences = Float64Array.from([...pilot.differences, ...pilot.failures])
  const plan = samplesForPower({ units: unitsOf(differences, pilot.clusters), width: 1 }, { margin: world.margin })
  if (!plan) throw new RangeError(`${world.name}: no plan`)
  const samples = Math.round((plan.samples * plannedPilot) / differences.length)
  let passed = 0
  for (let run = 0; run < runs; run++) {
    const observed = world.draw(createRandom(`${world.name}/planned/${run}`), samples, 0)
    passed += Number(isSwap(world, observed))
  }
  return { samples, promised: plan.power, power: passed / runs }
}

/** False gains of two names for one endpoint on a machine that drifts from turn to turn: ours, and t over calls. */
export function latencyErrors(runs: number): { readonly blocked: number; readonly naive: number } {
  let naive = 0
  for (let run = 0; run < runs; run++) {
    const { before, after } = runOfTurns(createRandom(`latency/24/${run}`), 24, 10)
    naive += Number(pairedTTest([...before], [...after]).p < 0.05)
  }
  return { blocked: falseGains(24, 10, runs), naive: naive / runs }
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
      drawn.some((own) => (pairedBound(own, { range: [0, 1], alpha }).lowBound as number) > -world.margin)
    corrected += Number(passes(0.05 / candidates.length))
    naive += Number(passes(0.05))
  }
  return { corrected: corrected / runs, naive: naive / runs }
}

/** Most samples of a run that is asked until it is decided. */
const mostAsked = 600

/** A run of up to 600 samples as `--until decided` asks it: in seeded order, with whatever clusters there are spread over it. */
function askedRun(world: World, seed: string, truth: number) {
  const { differences, failures, clusters } = world.draw(createRandom(seed), mostAsked, truth)
  const all = [...differences, ...failures]
  const repeats = all.length / mostAsked
  const drawn = Array.from({ length: mostAsked }, (_, i) => ({
    id: String(i),
    values: all.slice(i * repeats, (i + 1) * repeats),
    cluster: repeats === 1 ? clusters?.[i] : undefined,
  }))
  const samples = createRandom(`${seed}/order`).shuffle(drawn)
  const clusterOf = new Map(
    samples.flatMap(({ id, cluster }) => (cluster === undefined ? [] : [[id, cluster] as const])),
  )
  const bets = betSamples(
    samples.map(({ id }) => id),
    clusterOf,
    samples.length,
  )
  return { samples, bets, repeats }
}

/** Samples at which a run of up to 600 is first shown to be as good, looked at as `--until decided` does; null where it is not. */
function stopsAt(world: World, seed: string, truth: number, naive = false): number | null {
  const { samples, bets, repeats } = askedRun(world, seed, truth)
  const uneven = samples.findIndex(
    ({ values: [value, second] }) => second !== undefined || Math.abs(value ?? 0) % 1 > 0,
  )
  const looks = lookLadder(mostAsked)
  const sharpLooks = uneven < 0 ? null : looks.filter((n) => n <= uneven).length
  const against = -world.margin
  const index = looks.findIndex((n, look) => {
    const asked = samples.slice(0, n)
    const { spent, betting } = naive
      ? { spent: 0.05, betting: null }
      : lookLevels(looks, look, { alpha: 0.05, sharpLooks })
    if (betting !== null) {
      const seen = new Map(asked.map(({ id, values }) => [id, values]))
      const read = bets.samples.flatMap(({ sampleId, size }) => {
        const values = seen.get(sampleId)
        return values ? [{ sum: size * values.reduce((sum, value) => sum + value, 0), size: size * repeats }] : []
      })
      const units = {
        sums: Float64Array.from(read, ({ sum }) => sum),
        sizes: Float64Array.from(read, ({ size }) => size),
      }
      const options = { width: 1, alpha: betting, against, largest: bets.largest * repeats }
      if (anytimeLowerBound(units, options) > against) return true
    }
    const values = Float64Array.from(asked.flatMap((entry) => entry.values))
    const keys = asked.flatMap(({ id, cluster, values: own }) => own.map(() => cluster ?? id))
    return pairedMeanLiesAbove(groupUnits(values, keys), against, { width: 1, alpha: spent })
  })
  return index < 0 ? null : (looks[index] as number)
}

/** The looks of `--until decided` at a run on the margin, as planned and at alpha each time. */
export function lookErrors(runs: number, world = worlds[0] as World, naive = false): number {
  let wrong = 0
  for (let run = 0; run < runs; run++) wrong += Number(stopsAt(world, `looks/${run}`, -world.margin, naive) !== null)
  return wrong / runs
}

/** What `--until decided` asks at a true difference, as a share of `fixed` samples, and how many runs show it by 600. */
export function lookCosts(
  world: World,
  truth: number,
  fixed: number,
  runs: number,
): { readonly samples: number; readonly shown: number } {
  let samples = 0
  let shown = 0
  for (let run = 0; run < runs; run++) {
    const end = stopsAt(world, `free/${run}`, truth)
    samples += (end ?? mostAsked) / fixed
    shown += Number(end !== null)
  }
  return { samples: samples / runs, shown: shown / runs }
}

/**
 * Samples that a rule needs at least, on average at a truth of 0, if it is valid for every distribution and shows this one sooner or
 * later: ln(1 / alpha) over the expected growth of the best stake, one sample of each cluster.
 */
export function fewestSamples(world: World): number {
  const { differences, failures } = world.draw(createRandom(`${world.name}/pilot`), plannedPilot, 0)
  const all = [...differences, ...failures]
  const repeats = all.length / plannedPilot
  const values = Array.from({ length: plannedPilot }, (_, i) => {
    const own = all.slice(i * repeats, (i + 1) * repeats)
    return own.reduce((sum, value) => sum + value, 0) / repeats
  }).filter((_, i) => i % (world.block ?? 1) === 0)
  // Around the truth itself, not around the mean that was drawn.
  const moved = world.margin - values.reduce((sum, value) => sum + value, 0) / values.length
  const growth = (stake: number) =>
    values.reduce((sum, value) => sum + Math.log1p(stake * (value + moved)), 0) / values.length
  let best = 0
  for (let stake = 0.01; stake < 0.999 / (1 - world.margin); stake += 0.01) best = Math.max(best, growth(stake))
  return Math.log(1 / 0.05) / best
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
