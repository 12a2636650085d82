import type { Figure } from "../../src/core/figure.ts"
import { unknown } from "../../src/core/figure.ts"
import { type MeanInterval, meanInterval } from "../../src/stats/mean-interval.ts"
import { byText } from "../../src/stats/order.ts"
import { smallGroup } from "./group-rates.ts"

/** One score with its group and what errors are clustered by. */
export interface GroupedScore {
  readonly group: string
  readonly score: number
  readonly unit: string
}

/** Scores by group, groups in alphabetical order. */
export function scoresByGroup(scores: readonly GroupedScore[]): ReadonlyMap<string, readonly GroupedScore[]> {
  const groups = new Map<string, GroupedScore[]>()
  for (const score of scores) {
    const list = groups.get(score.group)
    if (list) list.push(score)
    else groups.set(score.group, [score])
  }
  return new Map([...groups].sort(([a], [b]) => byText(a, b)))
}

/** The mean of one group with its interval, and a warning where it is small. */
export function groupFigure(scores: readonly GroupedScore[], range: readonly [number, number]): Figure {
  if (scores.length === 0) return unknown("nobody in the group")
  const { value, low, high, method } = intervalOf(scores, range, 0.05)
  const warning = scores.length < smallGroup && { warning: `fewer than ${smallGroup} answers` }
  return { status: "known", value, low, high, n: scores.length, method, ...warning }
}

/** The largest gap between groups. */
export interface GroupGap {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly best: string
  readonly worst: string
  readonly method: string
}

/**
 * The largest difference between the means of two groups. Its interval combines those of the two means by the
 * square-and-add rule (Newcombe 1998; MOVER) at a level that allows for all pairs of groups (Bonferroni): the largest of
 * many differences is never 0 by itself, so a lower bound of 0 says that chance explains it.
 *
 * @returns null with fewer than two groups, or where a group cannot be bounded
 */
export function groupGap(
  groups: ReadonlyMap<string, readonly GroupedScore[]>,
  range: readonly [number, number],
): GroupGap | null {
  if (groups.size < 2) return null
  const pairs = (groups.size * (groups.size - 1)) / 2
  const means = [...groups].map(([group, scores]) => ({ group, ...intervalOf(scores, range, 0.05 / pairs) }))
  const ordered = means.toSorted((a, b) => b.value - a.value)
  const [best, worst] = [ordered[0], ordered.at(-1)]
  if (!best || !worst || best.low === null || best.high === null || worst.low === null || worst.high === null)
    return null
  const value = best.value - worst.value
  return {
    value,
    low: Math.max(0, value - Math.hypot(best.value - best.low, worst.high - worst.value)),
    high: Math.min(range[1] - range[0], value + Math.hypot(best.high - best.value, worst.value - worst.low)),
    best: best.group,
    worst: worst.group,
    method: `largest difference of group means, square-and-add interval, Bonferroni over ${pairs} pair${pairs === 1 ? "" : "s"}`,
  }
}

/**
 * Gini coefficient of scores: 0 when all are equal, towards 1 when few have everything. NaN for a negative score or a
 * sum of 0.
 *
 * @example gini([0, 0, 0, 1]) // 0.75
 */
export function gini(scores: readonly number[]): number {
  const sorted = scores.toSorted((a, b) => a - b)
  const total = sorted.reduce((sum, score) => sum + score, 0)
  if (total === 0 || (sorted[0] ?? 0) < 0) return Number.NaN
  const weighted = sorted.reduce((sum, score, i) => sum + (2 * (i + 1) - sorted.length - 1) * score, 0)
  return weighted / (sorted.length * total)
}

/**
 * Theil index of scores: mean of s/µ · ln(s/µ), 0 when all are equal, at most ln n. NaN for a negative score or a sum of 0.
 *
 * @example theil([0, 2]) // 0.6931: ln 2
 */
export function theil(scores: readonly number[]): number {
  const average = scores.reduce((sum, score) => sum + score, 0) / scores.length
  if (!(average > 0) || scores.some((score) => score < 0)) return Number.NaN
  return scores.reduce((sum, s) => sum + (s === 0 ? 0 : (s / average) * Math.log(s / average)), 0) / scores.length
}

function intervalOf(scores: readonly GroupedScore[], range: readonly [number, number], alpha: number): MeanInterval {
  return meanInterval(
    scores.map(({ score }) => score),
    scores.map(({ unit }) => unit),
    range,
    alpha,
  )
}
