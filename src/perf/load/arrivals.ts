import { UsageError } from "../../core/errors.ts"
import type { Random } from "../../core/random.ts"
import { gammaVariate } from "../../stats/resampling/gamma-variate.ts"

/** When requests arrive: milliseconds after the start, ascending. Drawn before the start, so that no answer can delay it. @experimental */
export type Arrivals = Float64Array

/** How the gaps of an open loop are distributed. @experimental */
export type ArrivalProcess = "constant" | "poisson" | "gamma"

/** What an open loop offers. Give `count`, `durationMs` or both; whichever ends first. @experimental */
export interface ArrivalOptions {
  readonly process: ArrivalProcess
  readonly ratePerSecond: number
  readonly count?: number
  readonly durationMs?: number
  /**
   * Coefficient of variation of the gaps, for `gamma`: 1 is Poisson, 0 is constant, above 1 comes in bursts (1.09 and 13.2
   * in Azure's public chat and code traces). The "burstiness" of vLLM is 1 / cv².
   */
  readonly cv?: number
}

/**
 * Draws an absolute schedule of arrivals. The first request arrives at 0, and the mean gap is that of the rate: the luck of a draw moves bursts, not
 * the rate. Poisson arrivals of which the number is known come at random in their time; vLLM's bench scales its gaps in the same way.
 *
 * @throws UsageError for a rate or a cv that cannot be used, or when neither a count nor a duration ends it
 * @example drawArrivals({ process: "constant", ratePerSecond: 10, count: 3 }, random) // [0, 100, 200]
 * @experimental
 */
export function drawArrivals(options: ArrivalOptions, random: Random): Arrivals {
  const { process, ratePerSecond, count = Number.POSITIVE_INFINITY, durationMs = Number.POSITIVE_INFINITY } = options
  const cv = process === "gamma" ? (options.cv ?? 1) : process === "poisson" ? 1 : 0
  if (!(ratePerSecond > 0) || !Number.isFinite(ratePerSecond))
    throw new UsageError("the rate must be above 0", { where: `rate ${ratePerSecond}` })
  if (!(cv >= 0) || cv > 100) throw new UsageError("the cv must be between 0 and 100", { where: `cv ${cv}` })
  const expected = Math.min(count, (durationMs / 1000) * ratePerSecond)
  if (!(expected < largestSchedule))
    throw new UsageError("an open loop needs a number of requests or a duration, below ten million requests", {
      where: `rate ${ratePerSecond}`,
    })
  const meanMs = 1000 / ratePerSecond
  const arrivals = new Float64Array(Math.ceil(expected - rounding))
  for (let i = 1; i < arrivals.length; i++) arrivals[i] = (arrivals[i - 1] as number) + drawGap(cv, random)
  const gaps = arrivals.length - 1
  const drawn = arrivals.at(-1) || 1
  return arrivals.map((at) => ((at * gaps) / drawn) * meanMs)
}

/**
 * Coefficient of variation of the gaps between arrivals: standard deviation / mean.
 *
 * @example gapVariation([0, 100, 200, 300]) // 0
 * @experimental
 */
export function gapVariation(arrivals: ArrayLike<number>): number {
  const gaps = Array.from(
    { length: arrivals.length - 1 },
    (_, i) => (arrivals[i + 1] as number) - (arrivals[i] as number),
  )
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const squares = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0)
  return Math.sqrt(squares / (gaps.length - 1)) / mean
}

const largestSchedule = 1e7
/** By so much a rate times a duration may lie above a whole number. */
const rounding = 1e-6
/** Below it, gaps are as good as constant, and the shape of the gamma distribution would overflow. */
const smallestVariation = 1e-4

/** A gap with mean 1 and the given coefficient of variation: gamma with shape 1 / cv². */
function drawGap(cv: number, random: Random): number {
  if (cv < smallestVariation) return 1
  const shape = 1 / (cv * cv)
  return gammaVariate(shape, random) / shape
}
