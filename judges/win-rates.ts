import { UsageError } from "../src/core/errors.ts"
import { checkOptions } from "../src/core/options.ts"
import { createRandom } from "../src/core/random.ts"
import { byText } from "../src/stats/order.ts"
import { bradleyTerry } from "../src/stats/ranking/bradley-terry.ts"
import type { Match } from "../src/stats/ranking/elo.ts"
import { lengthControlledWinRate, winRate } from "../src/stats/ranking/win-rate.ts"
import { percentileInterval } from "../src/stats/resampling/bootstrap-interval.ts"
import { bootstrapRows } from "../src/stats/resampling/bootstrap-rows.ts"
import { type BootstrappedStatistic, bootstrapItems } from "../src/stats/resampling/items-bootstrap.ts"

/** One answer of a candidate beside one of a baseline, judged in both orders. @experimental */
export interface JudgedPair {
  readonly sampleId: string
  /** The candidate's credit (1 won, 0 lost, 0.5 tie) when it was shown first, and when it was shown second. */
  readonly first: number
  readonly second: number
  readonly candidateCharacters: number
  readonly baselineCharacters: number
}

/** Win rates of a candidate over a baseline, 0..1, each with its interval. @experimental */
export interface WinRates {
  /** Only the order in which the candidate stands first: what most leaderboards print, including position bias. */
  readonly raw: BootstrappedStatistic
  /** Both orders; a pair whose orders contradict each other is a tie. */
  readonly bothOrders: BootstrappedStatistic
  /** Both orders, as if both answers were equally long; without the difficulty of instructions that AlpacaEval 2 adds. */
  readonly lengthControlled: BootstrappedStatistic
  /** Pairs whose orders contradict each other. */
  readonly inconsistent: number
}

/**
 * Raw, both-order and length-controlled win rate of judged pairs. The order of the pairs does not matter.
 * @experimental
 */
export function winRates(pairs: readonly JudgedPair[], seed: number): WinRates {
  if (pairs.length === 0) throw new UsageError("a win rate needs a judged pair", { where: "winRates" })
  const sorted = [...pairs].sort((a, b) => byText(a.sampleId, b.sampleId))
  const rate = (credit: (pair: JudgedPair) => number) => (list: readonly JudgedPair[]) =>
    winRate(list.map((pair) => 1 + credit(pair))).winRate / 100
  const joined = ({ first, second }: JudgedPair) => (first === second ? first : 0.5)
  const controlled = (list: readonly JudgedPair[]) =>
    lengthControlledWinRate(
      list.map((pair) => ({
        preference: joined(pair),
        candidateLength: pair.candidateCharacters,
        baselineLength: pair.baselineCharacters,
      })),
    ).winRate / 100
  return {
    raw: bootstrapItems(
      sorted,
      rate(({ first }) => first),
      { seed: `${seed}/raw` },
    ),
    bothOrders: bootstrapItems(sorted, rate(joined), { seed: `${seed}/both` }),
    lengthControlled: bootstrapItems(sorted, controlled, { seed: `${seed}/length` }),
    inconsistent: pairs.filter(({ first, second }) => first !== second).length,
  }
}

/** A variant's place among several, on Elo's scale (mean 0). @experimental */
export interface Strength {
  readonly name: string
  readonly rating: number
  /** 95 %; null when too few resamples have a finite solution. */
  readonly low: number | null
  readonly high: number | null
}

/** A match of one sample: matches of one sample are resampled together. @experimental */
export interface SampleMatch extends Match {
  readonly sampleId: string
}

/**
 * Bradley–Terry strengths of several variants with bootstrap intervals over samples; ties count as half a win each. Best
 * first.
 *
 * @param options.regularization half-won, half-lost matches against an average player that every variant gets: they keep the strength of a
 * variant that won every match finite. Default 0.1
 * @experimental
 */
export function strengths(
  matches: readonly SampleMatch[],
  options: { readonly seed: number; readonly resamples?: number; readonly regularization?: number },
): readonly Strength[] {
  checkOptions("strengths", options)
  const { seed, resamples = 500, regularization = 0.1 } = options
  const sorted = [...matches].sort((a, b) => byText(a.sampleId, b.sampleId) || byText(a.a, b.a) || byText(a.b, b.b))
  const samples = new Map<string, number[]>()
  sorted.forEach(({ sampleId }, i) => {
    const members = samples.get(sampleId)
    if (members) members.push(i)
    else samples.set(sampleId, [i])
  })
  const ratings = bradleyTerry(sorted, { regularization })
  const drawn: Map<string, number>[] = []
  const refit = (positions: readonly number[]) => {
    drawn.push(
      bradleyTerry(
        positions.map((i) => sorted[i] as SampleMatch),
        { regularization },
      ),
    )
    return 0
  }
  bootstrapRows([...samples.values()], refit, resamples, createRandom(`${seed}/strengths`))
  return [...ratings]
    .map(([name, rating]) => {
      const values = Float64Array.from(drawn.flatMap((draw) => draw.get(name) ?? [])).filter(Number.isFinite)
      const bounds = values.length < resamples / 2 ? { low: null, high: null } : percentileInterval(values)
      return { name, rating, ...bounds }
    })
    .sort((a, b) => b.rating - a.rating)
}

/** Grades that a judge gave two answers in one request. @experimental */
export interface GradedPair {
  readonly candidate: number
  readonly baseline: number
}

/**
 * A candidate's grades in per cent of a baseline's: Σ candidate / Σ baseline of each order, then the mean of the two orders,
 * as Vicuna and QLoRA print it.
 *
 * @example relativeScore([{ candidate: 9, baseline: 10 }], [{ candidate: 10, baseline: 10 }]) // 95
 * @experimental
 */
export function relativeScore(candidateFirst: readonly GradedPair[], baselineFirst: readonly GradedPair[]): number {
  const share = (pairs: readonly GradedPair[]) =>
    pairs.reduce((sum, { candidate }) => sum + candidate, 0) / pairs.reduce((sum, { baseline }) => sum + baseline, 0)
  return 50 * (share(candidateFirst) + share(baselineFirst))
}
