import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { Comparison } from "../../core/report/comparison.ts"
import type { VariantReport } from "../../core/report/report.ts"
import { timeErrorOf } from "../../estimate/client-error.ts"
import { compareCandidates } from "../compare/compare-candidates.ts"
import type { CompareOptions } from "../compare/comparison-of.ts"
import { decide } from "./decide.ts"

/** Two sides to be compared, and what else their run knows of them. */
export interface SourceOptions extends Omit<CompareOptions, "candidates"> {
  /** The other candidates of the run that both sides are of: they share the error rate. */
  readonly rivals?: readonly ScoredVariant[]
  /** What the run reports of the variants, under the names that the sides have here: limits, sizes, hourly costs. */
  readonly reports?: readonly VariantReport[]
  readonly constraints?: readonly string[]
  /** As of {@link decide}. */
  readonly noise?: string | null
}

/**
 * Compares two sides and decides between them as the report of their run does: with the same candidates, limits, sizes and
 * costs, so that the verdict of a pair is the same wherever it is asked for.
 */
export function decideSource(options: SourceOptions): Comparison {
  const { candidate, rivals = [], reports = [], constraints = [] } = options
  const timeErrorMs = timeErrorOf(reports)
  const comparisons = compareCandidates({ ...options, timeErrorMs, candidates: [candidate, ...rivals] })
  const decided = decide({ ...options, baseline: options.baseline.name, comparisons, variants: reports, constraints })
  return decided.comparisons[0] as Comparison
}
