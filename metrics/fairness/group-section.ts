import type { SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import { groupGapSentence, singleSampleGroup, smallGroupsWarning } from "../../src/words/metrics/fairness.ts"
import { groupGap, type ScoresByGroup } from "./group-gap.ts"

/** The largest gap between groups as a figure, with a warning where groups are small. */
export function gapFigure(
  rates: readonly ScoresByGroup[],
  range: readonly [number, number],
  minimum: number,
  level?: SummaryLevel,
): Figure {
  const gap = groupGap(rates, range, level)
  if (!gap) return unknown(singleSampleGroup)
  const small = smallGroups(rates, minimum)
  const warning = small.length > 0 && { warning: smallGroupsWarning(minimum, small) }
  const n = rates.reduce((sum, groups) => sum + sizeOf(groups), 0)
  const { value, low, high, method } = gap
  return { status: "known", value, low, high, n, method, ...warning }
}

/** The conclusion of a comparison of groups, and how small a gap would have been detected. */
export function gapSentence(
  variant: string,
  rates: readonly ScoresByGroup[],
  range: readonly [number, number],
  level?: SummaryLevel,
): string {
  return groupGapSentence(variant, groupGap(rates, range, level), rates[0]?.size)
}

/** Groups with fewer members than that in any of the rates. */
export function smallGroups(rates: readonly ScoresByGroup[], minimum: number): readonly string[] {
  const names = rates.flatMap((groups) => [...groups].filter(([, list]) => list.length < minimum).map(([name]) => name))
  return [...new Set(names)]
}

function sizeOf(groups: ScoresByGroup): number {
  return [...groups.values()].reduce((sum, list) => sum + list.length, 0)
}
