import { percentage } from "../percent.ts"

/** Why no gap between groups is known. */
export const singleSampleGroup = "a group with one sample gives no interval"

/** The largest gap between the rates of groups; rates and bounds are shares, 0..1. */
export interface GroupGapFacts {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly best: string
  readonly worst: string
  /** The smallest gap that so many samples show. */
  readonly detectable: number
}

/** A warning of groups that are too small. */
export function smallGroupsWarning(minimum: number, groups: readonly string[]): string {
  return `fewer than ${minimum} answers in: ${groups.join(", ")}`
}

/** The conclusion of a comparison of groups; without a gap, why there is none. */
export function groupGapSentence(variant: string, gap: GroupGapFacts | null, groups: number | undefined): string {
  if (gap === null) return `${variant}: the groups cannot be compared: ${singleSampleGroup}.`
  const size = `${percentage(gap.value)} points between ${gap.best} and ${gap.worst}, of ${groups} groups`
  const bounds = `(between ${percentage(gap.low)} and ${percentage(gap.high)})`
  return gap.low > 0
    ? `${variant}: ${size} ${bounds}: more than chance explains.`
    : `${variant}: ${size} ${bounds}: no difference beyond chance; a gap of ${percentage(gap.detectable)} would have been detected.`
}
