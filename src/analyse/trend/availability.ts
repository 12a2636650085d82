import { isAnswered, isOfVariant } from "../../core/outcome.ts"
import type { AvailabilityTrend, ChangePoint } from "../../core/report/trend.ts"
import { wilsonRate } from "../../perf/wilson.ts"
import { fisherExact } from "../../stats/tests/contingency.ts"
import { trendWords } from "../../wording/trend.ts"
import { pValue } from "../../words/p-value.ts"
import { percent } from "../../words/percent.ts"
import type { TrendRun } from "./trend.ts"

/**
 * Where the share of answered requests changed: the split of the runs whose two sides differ most by Fisher's exact test, as long as
 * it is significant after Bonferroni's correction for the choice of the split; then each side in its turn. Requests count as
 * independent: an outage of one run is a change of that run, which is what an alarm is for.
 */
export function availabilityTrend(runs: readonly TrendRun[], alpha: number): AvailabilityTrend {
  const counts = runs.map(({ run, scored }) => {
    const asked = scored.answers.filter(({ outcome, source }) => source === "measured" && isOfVariant(outcome))
    return { run, asked: asked.length, answered: asked.filter(({ outcome }) => isAnswered(outcome)).length }
  })
  const totals = counts.filter(({ asked }) => asked > 0)
  const changes = rateChanges(totals, alpha).map((change) => ({ ...change, run: totals[change.at]?.run ?? "" }))
  const newest = changes.at(-1)
  const sentences = changes.map(({ run, before, after, p }) =>
    trendWords.availability(percent(before), percent(after), run, pValue(p)),
  )
  return {
    values: counts.map(({ answered, asked }) => wilsonRate(answered, asked, "nothing was asked", alpha)),
    changes,
    worse: newest !== undefined && newest.after < newest.before,
    sentence: sentences.length > 0 ? sentences.join(" ") : null,
  }
}

interface Count {
  readonly asked: number
  readonly answered: number
}

function rateChanges(counts: readonly Count[], alpha: number): ChangePoint[] {
  const search = (from: number, to: number): ChangePoint[] => {
    const best = bestSplit(counts, from, to)
    return best && best.p < alpha ? [...search(from, best.at), best, ...search(best.at, to)] : []
  }
  return search(0, counts.length)
}

function bestSplit(counts: readonly Count[], from: number, to: number): ChangePoint | null {
  let best: ChangePoint | null = null
  for (let at = from + 1; at < to; at++) {
    const [before, after] = [pooled(counts.slice(from, at)), pooled(counts.slice(at, to))]
    const table = [before, after].map(({ answered, asked }) => [answered, asked - answered] as const)
    const p = Math.min(1, fisherExact(table as unknown as Parameters<typeof fisherExact>[0]).p * (to - from - 1))
    if (!best || p < best.p)
      best = { at, before: before.answered / before.asked, after: after.answered / after.asked, p }
  }
  return best
}

function pooled(counts: readonly Count[]): Count {
  return counts.reduce(
    (sum, { asked, answered }) => ({ asked: sum.asked + asked, answered: sum.answered + answered }),
    { asked: 0, answered: 0 },
  )
}
