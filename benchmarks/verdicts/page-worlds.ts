import type { Random } from "../../src/core/random.ts"
import { type World, worlds } from "./worlds.ts"

const times = (n: number, draw: (i: number) => number) => Array.from({ length: n }, (_, i) => draw(i))
const named = (of: readonly number[], letter: string) => of.map((number) => `${letter}${number}`)
const clip = (value: number) => Math.max(-1, Math.min(1, value))
/** Beta(1, b) and Beta(a, 1) in closed form. */
const low = (random: Random, b: number) => 1 - random.next() ** (1 / b)
const high = (random: Random, a: number) => random.next() ** (1 / a)
const atEnds = (random: Random) => {
  const u = random.next()
  return u < 0.5 ? 1 : u < 0.8 ? 0 : random.next()
}

/** Worlds of a graded or a right-or-wrong metric, on the scale 0..1. */
export const qualityWorlds: readonly World[] = [
  ...worlds,
  {
    name: "normal, sd .15, cut at ±1",
    margin: 0.03,
    draw: (random, n, truth) => ({ differences: times(n, () => clip(truth + 0.15 * random.normal())), failures: [] }),
  },
  {
    name: "70 % alike, the rest ±Beta(1, 2)",
    margin: 0.03,
    draw: (random, n, truth) => ({
      differences: times(n, () => {
        if (random.next() < 0.7) return 0
        return (random.next() < 0.5 - truth / 0.2 ? -1 : 1) * low(random, 2)
      }),
      failures: [],
    }),
  },
  {
    name: "mass at both ends, 30 % drawn anew",
    margin: 0.05,
    draw: (random, n, truth) => ({
      differences: times(n, () => {
        const before = atEnds(random)
        const after = random.next() < 0.3 ? atEnds(random) : before
        return (random.next() < -truth / 0.6 ? 0 : after) - before
      }),
      failures: [],
    }),
  },
  {
    name: "right and wrong in clusters of 5 that flip together",
    margin: 0.05,
    draw(random, n, truth) {
      const rates = times(Math.ceil(n / 5), () => low(random, 9))
      const differences = times(n, (i) => {
        if (random.next() >= (rates[Math.floor(i / 5)] as number)) return 0
        return random.next() < 0.5 - truth / 0.2 ? -1 : 1
      })
      return {
        differences,
        failures: [],
        clusters: named(
          times(n, (i) => Math.floor(i / 5)),
          "c",
        ),
      }
    },
  },
  {
    name: "three repeats, the candidate breaks whole samples",
    margin: 0.08,
    draw(random, n, truth) {
      const rates = times(n, () => high(random, 4))
      const broken = times(n, () => Number(random.next() < -truth / 0.8))
      const differences = times(3 * n, (i) => {
        const [rate, isBroken] = [rates[Math.floor(i / 3)] as number, broken[Math.floor(i / 3)]]
        return Number(!isBroken && random.next() < rate) - Number(random.next() < rate)
      })
      return {
        differences,
        failures: [],
        clusters: named(
          times(3 * n, (i) => Math.floor(i / 3)),
          "s",
        ),
      }
    },
  },
]

/** What two variants cost for the same sample. */
export interface CostWorld {
  readonly name: string
  /** Of the longest answer allowed, in means of the baseline's cost; null: no limit is stated. */
  readonly longest: number | null
  readonly samples: readonly number[]
  /** candidate / baseline − 1 of the expected costs where `isCheaper`; else 0. */
  readonly truth: number
  draw(random: Random, isCheaper: boolean): readonly [baseline: number, candidate: number]
}

/** With mean 1. */
const logNormal = (random: Random, sigma: number) => Math.exp(sigma * random.normal() - sigma ** 2 / 2)

export const costWorlds: readonly CostWorld[] = [
  ...[10, 20, 50].map((longest) => ({
    name: "answers lognormal, σ .6",
    longest,
    samples: [50, 100, 200, 400, 800],
    truth: -0.3,
    draw: (random: Random, isCheaper: boolean) =>
      [logNormal(random, 0.6), (isCheaper ? 0.7 : 1) * logNormal(random, 0.6)] as const,
  })),
  ...[0.6, 1.2].map((sigma) => ({
    name: `answers lognormal, σ ${sigma}`,
    longest: null,
    samples: [50, 100, 400],
    truth: -0.3,
    draw: (random: Random, isCheaper: boolean) =>
      [logNormal(random, sigma), (isCheaper ? 0.7 : 1) * logNormal(random, sigma)] as const,
  })),
  {
    name: "Pareto 1.5",
    longest: null,
    samples: [50, 100, 400],
    truth: -0.3,
    draw: (random, isCheaper) => {
      const pareto = () => (1 - random.next()) ** (-1 / 1.5)
      return [pareto(), (isCheaper ? 0.7 : 1) * pareto()]
    },
  },
  ...[null, 120].map((longest) => ({
    name: "30 % cheaper, but 1 % run away to a hundredfold: 39 % dearer",
    longest,
    samples: [50, 100, 400],
    truth: 0.7 * 1.99 - 1,
    draw: (random: Random) => {
      const size = logNormal(random, 0.3)
      return [size, 0.7 * size * (random.next() < 0.01 ? 100 : 1)] as const
    },
  })),
]
