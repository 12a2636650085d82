import type { SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import { percentage } from "../../src/words/percent.ts"
import { groupGap, type ScoresByGroup } from "./group-gap.ts"

/** The largest gap between groups as a figure, with a warning where groups are small. */
export function gapFigure(
  rates: readonly ScoresByGroup[],
  range: readonly [number, number],
  minimum: number,
  level?: SummaryLevel,
): Figure {
  const gap = groupGap(rates, range, level)
  if (!gap) return unknown("a group with one sample gives no interval")
  const small = smallGroups(rates, minimum)
  const warning = small.length > 0 && { warning: `fewer than ${minimum} answers in: ${small.join(", ")}` }
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
  const gap = groupGap(rates, range, level)
  if (!gap) return `${variant}: the groups cannot be compared: a group with one sample gives no interval.`
  const size = `${percentage(gap.value)} points between ${gap.best} and ${gap.worst}, of ${rates[0]?.size} groups`
  const bounds = `(between ${percentage(gap.low)} and ${percentage(gap.high)})`
  return gap.low > 0
    ? `${variant}: ${size} ${bounds}: more than chance explains.`
    : `${variant}: ${size} ${bounds}: no difference beyond chance; a gap of ${percentage(gap.detectable)} would have been detected.`
}

/** Groups with fewer members than that in any of the rates. */
export function smallGroups(rates: readonly ScoresByGroup[], minimum: number): readonly string[] {
  const names = rates.flatMap((groups) => [...groups].filter(([, list]) => list.length < minimum).map(([name]) => name))
  return [...new Set(names)]
}

function sizeOf(groups: ScoresByGroup): number {
  return [...groups.values()].reduce((sum, list) => sum + list.length, 0)
}
