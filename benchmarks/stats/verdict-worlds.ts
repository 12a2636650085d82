import { computeFrontier } from "../../src/analyse/frontier/frontier.ts"
import { createRandom } from "../../src/core/random.ts"
import { pairedMeanDifference } from "../../src/stats/intervals/paired-difference.ts"
import { mean } from "../../src/stats/mean.ts"
import { marginVerdict } from "../../src/stats/tests/non-inferiority.ts"

/** Share of worlds at the margin that are called non-inferior although the true difference is exactly −margin. */
export function marginErrors(worlds: number, n: number, lost: number, won: number): number {
  let wrong = 0
  const keys = Array.from({ length: n }, (_, i) => `s${i}`)
  for (let world = 0; world < worlds; world++) {
    const random = createRandom(`margin/${n}/${lost}/${won}/${world}`)
    const draws = Float64Array.from({ length: n }, () => random.next())
    const first = draws.map((u) => Number(u < lost || u > 0.5))
    const second = draws.map((u) => Number(u > 0.5 || (u >= lost && u < lost + won)))
    const { lowBound, highBound } = pairedMeanDifference(first, second, keys, { range: [0, 1], seed: 1 })
    const verdict = marginVerdict(lowBound as number, highBound as number, lost - won)
    if (verdict === "non_inferior" || verdict === "better") wrong++
  }
  return wrong / worlds
}

/** Variants by stated membership probability: how many there were, and which share of them truly was on the frontier. */
export interface MembershipBin {
  readonly from: number
  readonly to: number
  readonly variants: number
  readonly stated: number
  readonly trulyOn: number
}

/** Worlds of {@link membershipBins}: rates that differ, or rates near 1 at prices that are the same for every call. */
export type FrontierWorld = "usual" | "nearly all right"

/**
 * Worlds of five variants whose true quality and cost are drawn at random, seen through `samples` samples: are variants
 * that are said to be on the frontier with 80–90 % on it in about that share of worlds?
 */
export function membershipBins(worlds: number, samples: number, kind: FrontierWorld = "usual"): MembershipBin[] {
  const [least, width, spread] = kind === "usual" ? [0.55, 0.3, 1] : [0.85, 0.14, 0]
  const seen: { stated: number; truth: number }[] = []
  for (let world = 0; world < worlds; world++) {
    const random = createRandom(`frontier/${world}`)
    const truths = Array.from({ length: 5 }, () => ({
      quality: least + width * random.next(),
      cost: 1 + random.next(),
    }))
    const variants = truths.map(({ quality, cost }, i) => {
      const right = Float64Array.from({ length: samples }, () => Number(random.next() < quality))
      const spent = Float64Array.from({ length: samples }, () => cost * Math.exp(spread * random.normal() - spread / 2))
      return { name: `v${i}`, values: [mean(right), mean(spent)], samples: [right, spent] }
    })
    const axes = [
      { name: "quality", goal: "maximize" },
      { name: "cost", goal: "minimize" },
    ] as const
    const { points } = computeFrontier({ axes, variants, seed: world, resamples: 400 })
    points.forEach((point, i) => {
      const own = truths[i] as (typeof truths)[number]
      const beaten = truths.some((other) => other.quality > own.quality && other.cost < own.cost)
      seen.push({ stated: point.membershipProbability as number, truth: Number(!beaten) })
    })
  }
  return Array.from({ length: 10 }, (_, bin) => {
    const inside = seen.filter(({ stated }) => Math.min(9, Math.floor(stated * 10)) === bin)
    return {
      from: bin / 10,
      to: (bin + 1) / 10,
      variants: inside.length,
      stated: mean(inside.map(({ stated }) => stated)),
      trulyOn: mean(inside.map(({ truth }) => truth)),
    }
  })
}
