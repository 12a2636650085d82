import type { AnyMetric } from "../../core/metric/metric.ts"
import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { isAnswered, isFailure, isOfVariant } from "../../core/outcome.ts"
import { createShiftWatch, type LevelShift, type ShiftWatchOptions } from "../../stats/sequential/shift-watch.ts"

/** Answers of two variants to the same, and how they differ by each metric. */
export interface WatchedPair {
  readonly baseline: AnswerFacts
  readonly candidate: AnswerFacts
  readonly differences: readonly (number | null)[]
}

/** Figures that every pair may have. */
const operations = ["failures", "costUsd", "ttftMs", "e2eMs"] as const

/** What of pairs is watched: a metric, or one of these. */
export type PairFigureName = AnyMetric | (typeof operations)[number]

/** A change of level, and the pair that it began with. */
export interface PairShift extends LevelShift {
  /** Number of the pair, from 1. */
  readonly pair: number
  /** When it was asked, in milliseconds since 1970; null: the log does not say. */
  readonly atMs: number | null
}

/** A figure of the pairs so far. Levels are differences, candidate − baseline; of cost and times they are ratios, candidate / baseline. */
export interface PairFigure {
  readonly figure: PairFigureName
  /** Pairs of which it is known. */
  readonly known: number
  /** Since the newest change: mean of the differences, geometric mean of the ratios; null: not known. */
  readonly level: number | null
  /** The newest; null: none. */
  readonly shift: PairShift | null
  /** The newest change is for the worse. */
  readonly worse: boolean
}

/** Pairs in a row, and what changed among them. */
export interface PairTrend {
  add(pair: WatchedPair): void
  figures(): readonly PairFigure[]
}

/** Chance of a false alarm of any figure in so many pairs, at most. */
export const falseAlarms = { chance: 0.05, pairs: 2000 } as const
/** Pairs that are looked back at. */
const memoryPairs = 10_000

/**
 * Whether a candidate becomes worse than its baseline on pairs that come one after the other: means over windows of pairs, each figure's watched for
 * a change of its level (`createShiftWatch`), at {@link falseAlarms} for all of them together. What is constantly worse is no change.
 *
 * @param windowPairs pairs of a window
 */
export function createPairTrend(metrics: readonly AnyMetric[], windowPairs: number): PairTrend {
  const options = {
    alpha: falseAlarms.chance / (metrics.length + operations.length),
    values: falseAlarms.pairs / windowPairs,
    memory: Math.ceil(memoryPairs / windowPairs),
  }
  const series = [
    ...metrics.map((metric, i) =>
      createSeries(metric, ({ differences }) => differences[i] ?? null, windowPairs, options),
    ),
    ...operations.map((figure) => createSeries(figure, (pair) => changeOf(figure, pair), windowPairs, options)),
  ]
  let pairs = 0
  return {
    add(pair) {
      const point = { pair: ++pairs, atMs: pair.baseline.startedAtMs ?? null }
      for (const entry of series) entry.add(pair, point)
    },
    figures: () => series.map((entry) => entry.figure()),
  }
}

type Place = Pick<PairShift, "pair" | "atMs">

function createSeries(
  figure: PairFigureName,
  valueIn: (pair: WatchedPair) => number | null,
  windowPairs: number,
  options: Omit<ShiftWatchOptions, "seed">,
) {
  const watch = createShiftWatch({ ...options, seed: typeof figure === "string" ? figure : figure.name })
  const isRatio = typeof figure === "string" && figure !== "failures"
  const isBetter = typeof figure !== "string" && figure.direction === "higher"
  const level = (value: number): number => (isRatio ? Math.exp(value) : value)
  const starts: Place[] = []
  const means: number[] = []
  let [sum, count, known] = [0, 0, 0]
  let shift: PairShift | null = null
  return {
    add(pair: WatchedPair, point: Place) {
      const value = valueIn(pair)
      if (value === null) return
      known++
      if (count === 0) starts.push(point)
      sum += value
      if (++count < windowPairs) return
      const mean = sum / count
      ;[sum, count] = [0, 0]
      means.push(mean)
      const change = watch.add(mean)
      if (change)
        shift = {
          at: change.at,
          before: level(change.before),
          after: level(change.after),
          ...(starts[change.at] as Place),
        }
    },
    figure(): PairFigure {
      const recent = means.slice(shift?.at ?? 0)
      const [all, pairs] = [recent.reduce((a, b) => a + b, 0) * windowPairs + sum, recent.length * windowPairs + count]
      const worse = shift !== null && (isBetter ? shift.after < shift.before : shift.after > shift.before)
      return { figure, known, level: pairs === 0 ? null : level(all / pairs), shift, worse }
    },
  }
}

/** The difference of failures, or the logarithm of a ratio; null where either side does not know it. */
function changeOf(figure: (typeof operations)[number], { baseline, candidate }: WatchedPair): number | null {
  const sides = [candidate, baseline]
  if (figure === "failures") {
    if (!sides.every(({ outcome }) => isOfVariant(outcome))) return null
    return Number(isFailure(candidate.outcome)) - Number(isFailure(baseline.outcome))
  }
  const [after = null, before = null] = sides.map((side) => (isAnswered(side.outcome) ? side[figure] : null))
  return after !== null && before !== null && after > 0 && before > 0 ? Math.log(after / before) : null
}
