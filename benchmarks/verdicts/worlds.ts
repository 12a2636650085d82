import type { Random } from "../../src/core/random.ts"

/** What a rule sees: paired differences, and what they share. */
export interface Observed {
  /** candidate − baseline of complete pairs. */
  readonly differences: readonly number[]
  /** Pairs where only the baseline answered, as the loss that a user has. */
  readonly failures: readonly number[]
  /** Unit of each difference, failures after them. */
  readonly clusters?: readonly string[]
}

/** A world with a margin, drawn at a true mean difference of `truth`. */
export interface World {
  readonly name: string
  readonly margin: number
  /** Samples that come together; 1 by default. */
  readonly block?: number
  /** Set where a truth above 0 can be drawn. */
  readonly hasGains?: boolean
  /** Set where nothing but noise is left at a truth of 0. */
  readonly isAllOrNothing?: boolean
  draw(random: Random, n: number, truth: number): Observed
}

const single = (differences: readonly number[]): Observed => ({ differences, failures: [] })
const times = (n: number, draw: (i: number) => number) => Array.from({ length: n }, (_, i) => draw(i))

export const worlds: readonly World[] = [
  {
    name: "right and wrong",
    margin: 0.05,
    hasGains: true,
    draw: (random, n, truth) =>
      single(
        times(n, () => {
          const u = random.next()
          return u < 0.05 - truth ? -1 : u < 0.1 - truth ? 1 : 0
        }),
      ),
  },
  {
    name: "bounded, dense",
    margin: 0.05,
    hasGains: true,
    draw: (random, n, truth) => single(times(n, () => truth + 0.8 * (random.next() - 0.5))),
  },
  {
    name: "sparse, 5 % at ±.2",
    margin: 0.02,
    draw: (random, n, truth) =>
      single(
        times(n, () => {
          const u = random.next()
          return u < 0.05 - truth / 0.2 ? -0.2 : u < 0.1 - truth / 0.2 ? 0.2 : 0
        }),
      ),
  },
  {
    name: "rare large losses, 2 % lose .5",
    margin: 0.01,
    isAllOrNothing: true,
    draw: (random, n, truth) =>
      single(times(n, () => (random.next() < -truth / 0.5 ? -0.5 : 0.02 * (random.next() - 0.5)))),
  },
  {
    name: "clusters of 5, correlation .5",
    margin: 0.1,
    hasGains: true,
    block: 5,
    draw(random, n, truth) {
      const levels = times(Math.ceil(n / 5), () => 0.2 * (random.next() - 0.5))
      const differences = times(n, (i) => truth + (levels[Math.floor(i / 5)] as number) + 0.2 * (random.next() - 0.5))
      return { differences, failures: [], clusters: times(n, (i) => Math.floor(i / 5)).map((c) => `c${c}`) }
    },
  },
  {
    name: "whole clusters of 5 lost",
    margin: 0.04,
    isAllOrNothing: true,
    block: 5,
    draw(random, n, truth) {
      const lost = times(Math.ceil(n / 5), () => Number(random.next() < -truth / 0.8))
      const differences = times(n, (i) => (lost[Math.floor(i / 5)] ? -0.8 : 0.1 * (random.next() - 0.5)))
      return { differences, failures: [], clusters: times(n, (i) => Math.floor(i / 5)).map((c) => `c${c}`) }
    },
  },
  {
    name: "three repeats of each sample",
    margin: 0.1,
    hasGains: true,
    draw(random, n, truth) {
      const own = times(n, () => 0.6 * (random.next() - 0.5))
      const differences = times(3 * n, (i) => truth + (own[Math.floor(i / 3)] as number) + 0.1 * (random.next() - 0.5))
      return { differences, failures: [], clusters: times(3 * n, (i) => Math.floor(i / 3)).map((s) => `s${s}`) }
    },
  },
  {
    name: "candidate fails on hard items",
    margin: 0.1,
    draw(random, n, truth) {
      const failed = times(n, () => Number(random.next() < -truth))
      const differences: number[] = []
      const failures: number[] = []
      for (const fails of failed) {
        if (fails) failures.push(-1)
        else {
          const u = random.next()
          differences.push(u < 0.05 ? -1 : u < 0.1 ? 1 : 0)
        }
      }
      return { differences, failures }
    },
  },
]
