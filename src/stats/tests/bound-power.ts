import { createRandom, type Random } from "../../core/random.ts"
import { normalCdf, normalQuantile, studentTwoSided } from "../distributions.ts"
import { clusterRobustMean } from "../intervals/cluster-robust.ts"
import { boundOfUnits, pairedMeanLiesAbove } from "../intervals/paired-bound.ts"
import type { Units } from "../resampling/units.ts"
import { roundedDifferences } from "../rounded.ts"
import { mcnemarExact } from "./mcnemar.ts"
import { defaultPower } from "./power.ts"

/** Units of paired differences that future samples are drawn from, with the range of the metric. @experimental */
export interface PowerPopulation {
  /** Sums and sizes of independent units (samples, or clusters of them). */
  readonly units: Pick<Units, "sums" | "sizes" | "single">
  /** Largest minus smallest value of either side; infinite where there are no limits. */
  readonly width: number
}

/** What the rule must show, and how surely. */
export interface PowerQuestion {
  /** The bound must lie above −margin. */
  readonly margin: number
  /** True mean difference; 0 by default. */
  readonly truth?: number
  /** One-sided. */
  readonly alpha?: number
  /** Whether a two-sided p must be at most alpha, too, as it must where something is said to be better. */
  readonly proven?: boolean
  readonly runs?: number
}

/** A number of samples with the power that simulation gives it. */
export interface SimulatedPower {
  readonly samples: number
  /** Share of simulated runs, 0..1, with its Monte Carlo standard error; 0 where it was not simulated. */
  readonly power: number
  readonly error: number
}

const defaultRuns = 1000
/** More distinct units than this are merged with their neighbours, which keeps their mean. */
const maxAtoms = 64
/** More units than this are not simulated: there the bound's own distance, and normal tails, are near enough. */
const maxUnits = 1500
const maxSamples = 1e9

/**
 * Power of the rule that decides, by simulation: the share of runs of so many samples, drawn from these units, in which its lower
 * bound lies above −margin. The units are moved to the true difference first: right and wrong answers by their shares, others
 * by a shift. Seeded: the same question has the same answer.
 */
export function powerOfBound(population: PowerPopulation, samples: number, question: PowerQuestion): SimulatedPower {
  const units = unitsFor(population, samples)
  if (units <= maxUnits) return simulation(population, question)(units)
  return { samples, power: powerByDistance(population, question)(units), error: 0 }
}

/**
 * Fewest samples with which {@link powerOfBound} reaches `power`, in whole units, with the power that they have, which may be more
 * where it rises in steps. Null where no number reaches it.
 */
export function samplesForPower(
  population: PowerPopulation,
  question: PowerQuestion,
  power = defaultPower,
): SimulatedPower | null {
  const byDistance = powerByDistance(population, question)
  const near = fewest((units) => byDistance(units) >= power, { low: 1, high: 128, most: maxSamples, exact: 400 })
  if (near === null) return null
  if (near > maxUnits) return { samples: samplesOf(population, near), power: byDistance(near), error: 0 }
  const simulate = simulation(population, question)
  const size = fewest((units) => simulate(units).power >= power, {
    low: Math.max(1, Math.floor(near / 1.1)),
    high: Math.max(2, Math.ceil(near * 1.05)),
    most: 4 * maxUnits,
    exact: 400,
  })
  if (size === null) return null
  // The smallest number that reaches the power in one simulation is a little lucky: another one says what it is worth.
  const [first, second] = [simulate(size), simulation(population, question, "power/again")(size)]
  return { samples: second.samples, power: (first.power + second.power) / 2, error: second.error / Math.SQRT2 }
}

/** The smallest number that passes, near enough, where those above it pass, too: from a first guess of both ends. */
function fewest(
  passes: (units: number) => boolean,
  range: { readonly low: number; readonly high: number; readonly most: number; readonly exact: number },
): number | null {
  let { low, high } = range
  while (!passes(high)) {
    if (high >= range.most) return null
    low = high
    high = Math.min(range.most, Math.ceil(high * (high < range.high * 1.5 ? 1.15 : 2)))
  }
  while (low > 1 && passes(low)) {
    high = low
    low = Math.max(1, Math.floor(low / 1.15))
  }
  while (high - low > Math.max(1, high / range.exact)) {
    const middle = Math.floor((low + high) / 2)
    if (passes(middle)) high = middle
    else low = middle
  }
  return high
}

/** Power for large numbers: how far the bound of so many units like these lies from their mean, against normal tails. */
function powerByDistance(
  population: PowerPopulation,
  { margin, truth = 0, alpha = 0.05, proven = false }: PowerQuestion,
): (units: number) => number {
  const { width } = population
  const moved = movedTo(population, truth)
  return (units) => {
    const { value, lowBound, error } = boundOfUnits(moved, { width, alpha, times: units / moved.sums.length })
    if (lowBound === null || error === null) return 0
    if (error === 0) return Number(lowBound > -margin)
    const gap = Math.max(value - lowBound, proven ? normalQuantile(1 - alpha / 2) * error : 0)
    return normalCdf((truth + margin - gap) / error)
  }
}

function samplesOf({ units }: PowerPopulation, count: number): number {
  return Math.ceil((count * units.sizes.reduce((sum, size) => sum + size, 0)) / units.sums.length)
}

/** As the comparison will find it: McNemar's exact p for right and wrong answers, else near to that of a sign-flip test. */
function twoSidedP({ sums, sizes, single }: PowerPopulation["units"], width: number): number {
  if (single && sums.every((d) => d === 0 || Math.abs(d) === width)) {
    const count = (sign: number) => sums.reduce((total, d) => total + Number(Math.sign(d) === sign), 0)
    return mcnemarExact(count(-1), count(1))
  }
  const estimate = clusterRobustMean(sums, sizes)
  if (!estimate || !(estimate.error > 0)) return estimate && estimate.mean !== 0 ? 0 : 1
  return studentTwoSided(estimate.mean / estimate.error, estimate.degrees)
}

function unitsFor({ units }: PowerPopulation, samples: number): number {
  const size = units.sizes.reduce((sum, count) => sum + count, 0) / units.sums.length
  return Math.ceil(samples / size)
}

/** Simulated power by number of units; every number sees the same draws, so that more of them are seldom worth less. */
function simulation(population: PowerPopulation, question: PowerQuestion, seed = "power") {
  const { margin, truth = 0, alpha = 0.05, proven = false, runs = defaultRuns } = question
  const { width } = population
  const { sums, sizes, single } = movedTo(population, truth)
  const size = sizes.reduce((sum, count) => sum + count, 0) / sums.length
  const streams = new Map<number, { readonly random: Random; drawn: Int32Array; count: number }>()
  const drawnBy = (run: number, count: number) => {
    let stream = streams.get(run)
    if (!stream) {
      stream = { random: createRandom(`${seed}/${run}`), drawn: new Int32Array(count), count: 0 }
      streams.set(run, stream)
    }
    if (stream.drawn.length < count) {
      const longer = new Int32Array(count)
      longer.set(stream.drawn)
      stream.drawn = longer
    }
    for (; stream.count < count; stream.count++) stream.drawn[stream.count] = stream.random.integer(sums.length)
    return stream.drawn
  }
  const isBinary = single && sums.every((d) => d === 0 || Math.abs(d) === width)
  return (count: number): SimulatedPower => {
    const some = { sums: new Float64Array(count), sizes: new Float64Array(count), single }
    const passes = () =>
      pairedMeanLiesAbove(some, -margin, { width, alpha }) && (!proven || twoSidedP(some, width) <= alpha)
    /** Of right and wrong answers: by how many are lost and won, which is all that counts. */
    const cache = new Map<number, boolean>()
    let passed = 0
    for (let run = 0; run < runs; run++) {
      const drawn = drawnBy(run, count)
      let [lost, won] = [0, 0]
      for (let i = 0; i < count; i++) {
        const sum = sums[drawn[i] as number] as number
        some.sums[i] = sum
        some.sizes[i] = sizes[drawn[i] as number] as number
        lost += Number(sum < 0)
        won += Number(sum > 0)
      }
      const key = lost * (count + 1) + won
      const isPassed = (isBinary ? cache.get(key) : undefined) ?? passes()
      cache.set(key, isPassed)
      passed += Number(isPassed)
    }
    const power = passed / runs
    return { samples: Math.ceil(count * size), power, error: Math.sqrt((power * (1 - power)) / runs) }
  }
}

/** The units with the true mean difference, few enough to be simulated quickly. */
function movedTo({ units, width }: PowerPopulation, truth: number): Pick<Units, "sums" | "sizes" | "single"> {
  const { sums, sizes, single } = units
  const isBinary = single && sums.every((d) => d === 0 || Math.abs(d) === width)
  if (isBinary) return { ...sharesAt(sums, width, truth), single }
  const n = sizes.reduce((sum, size) => sum + size, 0)
  const shift = truth - sums.reduce((sum, value) => sum + value, 0) / n
  const moved = sums.map((sum, i) => {
    const size = sizes[i] as number
    return Math.max(-width * size, Math.min(width * size, sum + shift * size))
  })
  return { ...merged(roundedDifferences(moved), sizes), single }
}

/** Right and wrong answers: as many changes as were seen, shared out between losses and gains so that the mean is the truth. */
function sharesAt(sums: Float64Array, width: number, truth: number) {
  const parts = 10_000
  const changed = Math.max(Math.abs(truth) / width, sums.filter((d) => d !== 0).length / sums.length)
  const lost = Math.round((parts * (changed - truth / width)) / 2)
  const won = Math.round((parts * (changed + truth / width)) / 2)
  const values = Float64Array.from({ length: parts }, (_, i) => (i < lost ? -width : i < lost + won ? width : 0))
  return { sums: values, sizes: new Float64Array(parts).fill(1) }
}

/** Neighbours among the sorted units merged into their mean, as many in each of at most {@link maxAtoms} groups. */
function merged(sums: Float64Array, sizes: Float64Array) {
  if (new Set(sums).size <= maxAtoms) return { sums, sizes }
  const order = Array.from(sums, (_, i) => i).sort((a, b) => (sums[a] as number) - (sums[b] as number))
  const flat = { sums: new Float64Array(sums.length), sizes: new Float64Array(sums.length) }
  for (let group = 0; group < maxAtoms; group++) {
    const members = order.slice(
      Math.round((group * order.length) / maxAtoms),
      Math.round(((group + 1) * order.length) / maxAtoms),
    )
    const average = (of: Float64Array) => members.reduce((sum, i) => sum + (of[i] as number), 0) / members.length
    const [sum, size] = [average(sums), average(sizes)]
    members.forEach((i) => {
      flat.sums[i] = sum
      flat.sizes[i] = size
    })
  }
  return flat
}
