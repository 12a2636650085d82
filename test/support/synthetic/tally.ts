import type { Outcome } from "../../../src/core/outcome.ts"
import type { ReportSample } from "../../../src/core/report/report-sample.ts"
import type { SyntheticVariant } from "./answers.ts"

/** Everything that the aggregates need of one variant. */
export interface Tally {
  readonly variant: SyntheticVariant
  readonly exact: number[]
  readonly chrf: number[]
  readonly ttft: number[]
  readonly e2e: number[]
  readonly tpot: number[]
  readonly usd: number[]
  readonly groups: Map<string, number[]>
  readonly outcomes: Map<Outcome, number>
  readonly overTime: Map<number, { started: number; ended: number; tokens: number; failed: number }>
}

/** A tally of nothing yet. */
export function emptyTally(variant: SyntheticVariant): Tally {
  return {
    variant,
    exact: [],
    chrf: [],
    ttft: [],
    e2e: [],
    tpot: [],
    usd: [],
    groups: new Map(),
    outcomes: new Map(),
    overTime: new Map(),
  }
}

/** Adds one sample's answers, one per tally. */
export function tallySample(tallies: readonly Tally[], { sample, answers }: ReportSample): void {
  answers.forEach(({ generation, values }, index) => {
    const tally = tallies[index] as Tally
    const { log, outcome, cost } = generation
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1)
    tally.exact.push(values.exact_match as number)
    if (values.chrf != null) tally.chrf.push(values.chrf)
    const group = tally.groups.get(sample.group as string) ?? []
    group.push(values.exact_match as number)
    tally.groups.set(sample.group as string, group)
    if (cost.status === "known") tally.usd.push(cost.usd)
    const second = Math.floor(log.sendMs / 1000)
    const slot = tally.overTime.get(second) ?? { started: 0, ended: 0, tokens: 0, failed: 0 }
    slot.started++
    slot.ended++
    slot.tokens += generation.usage.completionTokens ?? 0
    if (outcome !== "ok") slot.failed++
    tally.overTime.set(second, slot)
    if (outcome !== "ok") return
    const tokens = generation.usage.completionTokens as number
    const first = (log.events[0]?.atMs as number) - log.sendMs
    tally.ttft.push(first)
    tally.e2e.push(log.endMs - log.sendMs)
    if (tokens > 1) tally.tpot.push((log.endMs - log.sendMs - first) / (tokens - 1))
  })
}
