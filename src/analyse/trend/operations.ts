import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { isTimedOutcome } from "../../core/outcome.ts"
import type { OperationTrend } from "../../core/report/trend.ts"
import { mean } from "../../stats/mean.ts"
import { quantile } from "../../stats/quantile.ts"
import { levelShifts } from "../../stats/sequential/level-shift.ts"
import { operationSentence } from "../../wording/trend.ts"
import type { TrendRun } from "./trend.ts"

const figures = [
  { figure: "first token", unit: "ms", of: (facts: AnswerFacts) => facts.ttftMs, summary: median },
  { figure: "latency", unit: "ms", of: (facts: AnswerFacts) => facts.e2eMs, summary: median },
  { figure: "time per token", unit: "ms", of: (facts: AnswerFacts) => facts.tpotMs, summary: median },
  { figure: "cost", unit: "USD", of: (facts: AnswerFacts) => facts.costUsd, summary: mean },
] as const

/**
 * Changes of latency and cost over runs. A run's own interval does not know what differs between two runs of an unchanged
 * variant (machine, network, hour), so a change must stand out from the scatter of the runs themselves; α is divided
 * among the figures. Figures without a value in any run are left out.
 *
 * @param compared ids of the runs that count, all by default: one that asked hardly any of the others' samples leaves none to compare
 */
export function operationTrends(
  runs: readonly TrendRun[],
  alpha: number,
  compared: ReadonlySet<string> = new Set(runs.map(({ run }) => run)),
): readonly OperationTrend[] {
  const shared = sharedSamples(runs.filter(({ run }) => compared.has(run)))
  return figures.flatMap(({ figure, unit, of, summary }) => {
    const values = runs.map(({ run, scored }) => {
      if (!compared.has(run)) return null
      const times = scored.answers.flatMap((facts) => {
        const value = isTimedOutcome(facts.outcome) && shared.has(facts.sampleId) ? of(facts) : null
        return value !== null && value > 0 ? [value] : []
      })
      return times.length === 0 ? null : summary(times)
    })
    const points = values.flatMap((value, i) => (value === null ? [] : [{ value, run: runs[i]?.run ?? "" }]))
    if (points.length === 0) return []
    const logs = points.map(({ value }) => Math.log(value))
    const changes = levelShifts(logs, alpha / figures.length).map((change) => ({
      ...change,
      before: Math.exp(change.before),
      after: Math.exp(change.after),
      run: points[change.at]?.run ?? "",
    }))
    const newest = changes.at(-1)
    const worse = newest !== undefined && newest.after > newest.before
    return [{ figure, unit, values, changes, worse, sentence: operationSentence(figure, unit, changes, points.length) }]
  })
}

/** Samples that every run has: another selection of samples is no change of the variant. */
function sharedSamples(runs: readonly TrendRun[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const { scored } of runs)
    for (const id of new Set(scored.answers.map(({ sampleId }) => sampleId))) counts.set(id, (counts.get(id) ?? 0) + 1)
  return new Set([...counts].flatMap(([id, count]) => (count === runs.length ? [id] : [])))
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
