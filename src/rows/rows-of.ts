import type { MetricRow } from "../core/metric/metric.ts"
import type { ScoredVariant } from "../core/metric/scored-variant.ts"
import type { Outcome } from "../core/outcome.ts"
import { answerKey } from "../core/run/answer-key.ts"
import { type FactColumns, factsBehind } from "./columns/fact-columns.ts"
import { filterRows } from "./columns/part-rows.ts"

/**
 * Requests that were cancelled, failed on our side, or that no model came to before their batch ended, and conversations whose simulated
 * user failed, say nothing about the variant: as if the sample had not been asked.
 */
const ours: ReadonlySet<Outcome> = new Set([
  "cancelled",
  "client_fault",
  "batch_expired",
  "batch_cancelled",
  "batch_failed",
  "batch_missing",
  "user_failed",
])

/** Whether a request ended in a way that says nothing about the variant. */
export function isOurFault(outcome: Outcome): boolean {
  return ours.has(outcome)
}

/** A variant's rows of a metric, without those of requests that we cancelled. */
export function rowsOf({ answers, rows }: ScoredVariant, metric: string): readonly MetricRow[] {
  const own = rows.get(metric) ?? []
  const givenUp = givenUpAnswers(factsBehind(answers))
  return givenUp.size === 0 ? own : filterRows(own, (sampleId, repeat) => !givenUp.has(answerKey({ sampleId, repeat })))
}

/** Keys of the answers that say nothing about the variant. */
function givenUpAnswers(facts: FactColumns): ReadonlySet<string> {
  let keys = givenUpOf.get(facts)
  if (!keys) {
    const set = new Set<string>()
    const { ids } = facts.answers
    for (let index = 0; index < facts.length; index++)
      if (isOurFault(facts.outcome(index)))
        set.add(answerKey({ sampleId: ids[index] as string, repeat: facts.answers.repeat(index) }))
    keys = set
    givenUpOf.set(facts, keys)
  }
  return keys
}

const givenUpOf = new WeakMap<FactColumns, ReadonlySet<string>>()
