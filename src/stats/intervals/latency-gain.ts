import { abstainReasons, statisticMethods } from "../../words/reasons/statistics.ts"
import { studentQuantile, studentTwoSided } from "../distributions.ts"
import { sortedNumbers } from "../order.ts"
import { quantileSorted } from "../quantile.ts"
import { groupUnits } from "../resampling/units.ts"
import { autocorrelationTime } from "../sequential/autocorrelation.ts"
import { clusterRobustMean } from "./cluster-robust.ts"

/** Both variants' latency for one sample, measured in the same turn of the run. @public */
export interface LatencyPair {
  /** Milliseconds, or any other positive figure; the same for the candidate. */
  readonly baseline: number
  readonly candidate: number
  /** The turn in which both were measured, numbered in the order of time. */
  readonly turn: number
  /** The sample's id; needed where samples repeat. */
  readonly sample?: string
}

/** What is compared: the typical call (geometric mean of ratios), the mean, or a percentile. @public */
export type LatencyStatistic = "typical" | "mean" | { readonly quantile: number }

/** How much faster the candidate is: 0.1 is 10 % less time, −0.1 is 10 % more. @public */
export interface LatencyGain {
  readonly gain: number
  /** Two-sided (1 − alpha) interval of the gain; null where too few turns bound nothing. */
  readonly low: number | null
  readonly high: number | null
  /** One-sided (1 − alpha) bounds: what a smallest gain worth a swap is compared with. */
  readonly lowBound: number | null
  readonly highBound: number | null
  /** Two-sided p of "no gain and no loss". */
  readonly p: number | null
  readonly pairs: number
  readonly turns: number
  /** Blocks of turns that the error is computed from: the turns, or runs of them where a turn holds too little for a percentile. */
  readonly blocks: number
  readonly degrees: number | null
  readonly method: string
  /** Why nothing may be decided. */
  readonly abstain?: string
}

/** Fewer turns cannot tell a gain from the drift of the machine. @public */
export const minTurns = 4
/** Pairs that a block needs for a mean or a percentile of its own. */
const pairsInBlock = 20
/** From so many blocks on, their memory of each other can be measured. */
const memoryFrom = 20

/**
 * Gain in latency of paired calls that were measured turn by turn. Ratios are taken inside a turn, so that what slows both
 * variants down alike cancels; what one turn has in common is one piece of evidence, however many calls it holds. The error is
 * that over turns (CR2, Satterthwaite's degrees), larger where samples repeat over turns (two ways, by sample and by turn) or
 * where turns remember each other (autocorrelation time). Percentiles and means are taken per block of turns and averaged on
 * the logarithmic scale.
 *
 * @throws RangeError for a latency that is not positive and finite
 * @public
 */
export function pairedLatencyGain(
  pairs: readonly LatencyPair[],
  { statistic = "typical", alpha = 0.05 }: { readonly statistic?: LatencyStatistic; readonly alpha?: number } = {},
): LatencyGain {
  for (const { baseline, candidate } of pairs)
    if (!(baseline > 0 && candidate > 0 && Number.isFinite(baseline) && Number.isFinite(candidate)))
      throw new RangeError(`latencies must be positive and finite, not ${baseline} and ${candidate}`)
  const ordered = [...pairs].sort((a, b) => a.turn - b.turn)
  const turns = new Set(ordered.map(({ turn }) => turn)).size
  const { values, weights, keys, blocks } =
    statistic === "typical" ? singleRatios(ordered) : blockRatios(ordered, turns, statistic)
  const { sums, sizes } = groupUnits(values, keys)
  const robust = clusterRobustMean(sums, sizes)
  const mean = robust?.mean ?? (values.length === 0 ? Number.NaN : (values[0] as number))
  const facts = { gain: 1 - Math.exp(mean), pairs: pairs.length, turns, blocks }
  const name = statistic === "typical" ? statisticMethods.pairedRatios : nameOf(statistic)
  if (!robust || turns < minTurns || robust.clusters < minTurns) {
    const none = { low: null, high: null, lowBound: null, highBound: null, p: null, degrees: null }
    const abstain =
      turns < minTurns
        ? abstainReasons.fewTurns(turns, minTurns)
        : abstainReasons.fewBlocks(blocks, pairsInBlock, minTurns)
    return { ...facts, ...none, method: name, abstain }
  }
  let { error, degrees } = robust
  let method = statisticMethods.turnsStudent(name, blocks, statistic === "typical")
  if (statistic === "typical") {
    const bySample = sampleError(ordered, values, error)
    if (bySample && bySample.error > error) {
      error = bySample.error
      degrees = Math.min(degrees, bySample.degrees)
      method += ", and by sample"
    }
  }
  if (robust.clusters >= memoryFrom) {
    const means = sums.map((sum, i) => sum / (sizes[i] as number))
    const time = autocorrelationTime(means)
    if (time > 1) {
      error *= Math.sqrt(time)
      degrees = Math.max(1, Math.min(degrees, robust.clusters / time - 1))
      method += `, autocorrelation time ${time.toFixed(1)}`
    }
  }
  const slower = (t: number) => 1 - Math.exp(mean + t * error)
  const two = studentQuantile(1 - alpha / 2, degrees)
  const one = studentQuantile(1 - alpha, degrees)
  const p = error > 0 ? studentTwoSided(mean / error, degrees) : mean === 0 ? 1 : 0
  const bounds = { low: slower(two), high: slower(-two), lowBound: slower(one), highBound: slower(-one) }
  return { ...facts, ...bounds, p, degrees, method: weights === "even" ? method : statisticMethods.pairWeights(method) }
}

interface Ratios {
  /** Logarithms of candidate / baseline. */
  readonly values: Float64Array
  readonly keys: readonly string[]
  readonly blocks: number
  readonly weights: "even" | "by pairs"
}

function singleRatios(pairs: readonly LatencyPair[]): Ratios {
  const values = Float64Array.from(pairs, ({ baseline, candidate }) => Math.log(candidate / baseline))
  const sizes = new Map<number, number>()
  for (const { turn } of pairs) sizes.set(turn, (sizes.get(turn) ?? 0) + 1)
  const even = new Set(sizes.values()).size <= 1
  const keys = pairs.map(({ turn }) => String(turn))
  return { values, keys, blocks: sizes.size, weights: even ? "even" : "by pairs" }
}

/** One logarithm of a ratio per block: a turn, or consecutive turns that hold enough pairs together. */
function blockRatios(
  pairs: readonly LatencyPair[],
  turns: number,
  statistic: Exclude<LatencyStatistic, "typical">,
): Ratios {
  const perTurn = pairs.length / Math.max(1, turns)
  const turnsInBlock = Math.max(1, Math.min(Math.ceil(pairsInBlock / perTurn), Math.floor(turns / minTurns)))
  const lists: LatencyPair[][] = []
  const order = new Map<number, number>()
  for (const pair of pairs) {
    const place = order.get(pair.turn) ?? order.size
    order.set(pair.turn, place)
    const block = Math.min(Math.floor(place / turnsInBlock), Math.max(0, Math.floor(turns / turnsInBlock) - 1))
    const list = lists[block] ?? []
    list.push(pair)
    lists[block] = list
  }
  const figure = (list: readonly number[]) =>
    statistic === "mean"
      ? list.reduce((sum, value) => sum + value, 0) / list.length
      : quantileSorted(sortedNumbers(Float64Array.from(list)), statistic.quantile)
  const values = Float64Array.from(lists, (list) =>
    Math.log(figure(list.map(({ candidate }) => candidate)) / figure(list.map(({ baseline }) => baseline))),
  )
  return { values, keys: lists.map((_, i) => String(i)), blocks: lists.length, weights: "even" }
}

/** Error by sample and by turn together: V_turn + V_sample − V_pair (Cameron, Gelbach & Miller 2011); null without repeats. */
function sampleError(pairs: readonly LatencyPair[], values: Float64Array, turnError: number) {
  if (!pairs.every(({ sample }) => sample !== undefined)) return null
  const samples = groupUnits(
    values,
    pairs.map(({ sample }) => String(sample)),
  )
  if (samples.single) return null
  const both = groupUnits(
    values,
    pairs.map(({ sample, turn }) => `${turn}/${sample}`),
  )
  const bySample = clusterRobustMean(samples.sums, samples.sizes)
  const byBoth = clusterRobustMean(both.sums, both.sizes)
  if (!bySample || !byBoth) return null
  return {
    error: Math.sqrt(Math.max(0, turnError ** 2 + bySample.error ** 2 - byBoth.error ** 2)),
    degrees: bySample.degrees,
  }
}

function nameOf(statistic: Exclude<LatencyStatistic, "typical">): string {
  return statistic === "mean" ? "ratio of means" : statisticMethods.quantileRatio(statistic.quantile)
}
