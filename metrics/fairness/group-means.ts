import type { SummaryLevel } from "../../src/core/metric/metric.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { unknown } from "../../src/core/report/figure.ts"
import { meanFigure } from "../../src/stats/intervals/mean-interval.ts"
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
export function groupFigure(
  scores: readonly GroupedScore[],
  range: readonly [number, number],
  minimum: number = smallGroup,
  { alpha }: SummaryLevel = {},
): Figure {
  if (scores.length === 0) return unknown("no case in the group")
  const values = scores.map(({ score }) => score)
  const keys = scores.map(({ unit }) => unit)
  const warning = scores.length < minimum && { warning: `fewer than ${minimum} answers` }
  return { ...meanFigure(values, keys, range, alpha), ...warning }
}

/**
 * Gini coefficient of scores: 0 when all are equal, towards 1 when few have everything. NaN for a negative score or a
 * sum of 0.
 *
 * @example gini([0, 0, 0, 1]) // 0.75
 * @experimental
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
 * @experimental
 */
export function theil(scores: readonly number[]): number {
  const average = scores.reduce((sum, score) => sum + score, 0) / scores.length
  if (!(average > 0) || scores.some((score) => score < 0)) return Number.NaN
  return scores.reduce((sum, s) => sum + (s === 0 ? 0 : (s / average) * Math.log(s / average)), 0) / scores.length
}
