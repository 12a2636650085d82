import type { AnswerFacts } from "../../core/metric/scored-variant.ts"
import { isTimedOutcome } from "../../core/outcome.ts"
import { mean } from "../../stats/mean.ts"
import { quantile } from "../../stats/quantile.ts"
import type { ChangePoint } from "../../stats/sequential/change-point.ts"
import { leastShiftValues, levelShifts } from "../../stats/sequential/level-shift.ts"
import { amount } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import type { TrendRun } from "./trend.ts"

/** What a variant's runs cost in time or money, run by run. @experimental */
export interface OperationTrend {
  readonly figure: "first token" | "latency" | "cost"
  readonly unit: "ms" | "USD"
  /** Median (times) or mean (cost) of each run over the samples that all compared runs asked; null where it was not measured or the run is not compared. */
  readonly values: readonly (number | null)[]
  readonly changes: readonly (ChangePoint & { readonly run: string })[]
  /** The newest change is for the worse. */
  readonly worse: boolean
  /** Null when there is nothing to say. */
  readonly sentence: string | null
}

const figures = [
  { figure: "first token", unit: "ms", of: (facts: AnswerFacts) => facts.ttftMs, summary: median },
  { figure: "latency", unit: "ms", of: (facts: AnswerFacts) => facts.e2eMs, summary: median },
  { figure: "cost", unit: "USD", of: (facts: AnswerFacts) => facts.costUsd, summary: mean },
] as const

/**
 * Changes of latency and cost over runs. A run's own interval does not know what differs between two runs of an unchanged
 * variant (machine, network, hour), so a change must stand out from the scatter of the runs themselves; α is divided
 * among the three figures. Figures without a value in any run are left out.
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
      const known = scored.answers.flatMap((facts) => {
        const value = isTimedOutcome(facts.outcome) && shared.has(facts.sampleId) ? of(facts) : null
        return value !== null && value > 0 ? [value] : []
      })
      return known.length === 0 ? null : summary(known)
    })
    const known = values.flatMap((value, i) => (value === null ? [] : [{ value, run: runs[i]?.run ?? "" }]))
    if (known.length === 0) return []
    const logs = known.map(({ value }) => Math.log(value))
    const changes = levelShifts(logs, alpha / figures.length).map((change) => ({
      ...change,
      before: Math.exp(change.before),
      after: Math.exp(change.after),
      run: known[change.at]?.run ?? "",
    }))
    const newest = changes.at(-1)
    const worse = newest !== undefined && newest.after > newest.before
    return [{ figure, unit, values, changes, worse, sentence: sentenceOf(figure, unit, changes, known.length) }]
  })
}

function sentenceOf(figure: string, unit: string, changes: OperationTrend["changes"], runs: number): string | null {
  if (runs > 1 && runs < leastShiftValues)
    return `Whether ${figure} changed cannot be told from ${runs} runs: it takes ${leastShiftValues}.`
  if (changes.length === 0) return null
  return changes
    .map(
      ({ run, before, after, p }) =>
        `${figure} went from ${amount(before)} to ${amount(after)} ${unit} at run ${run} (${pValue(p)}).`,
    )
    .join(" ")
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
