import type { MetricRow, ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Outcome } from "../../core/outcome.ts"

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
  const found = rows.get(metric) ?? []
  const givenUp = new Set(answers.filter(({ outcome }) => isOurFault(outcome)).map(keyOf))
  return givenUp.size === 0 ? found : found.filter((row) => !givenUp.has(keyOf(row)))
}

function keyOf({ sampleId, repeat }: { readonly sampleId: string; readonly repeat: number }): string {
  return `${repeat}\u0000${sampleId}`
}
