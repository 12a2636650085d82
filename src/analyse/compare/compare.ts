import type { Comparison } from "../../core/report/comparison.ts"
import { compareCandidates } from "./compare-candidates.ts"
import type { CompareOptions } from "./comparison-of.ts"

export type { CompareOptions } from "./comparison-of.ts"

/**
 * Compares two variants paired by sample and repeat: every metric with interval, p and verdict, latency and cost, flips,
 * identity, and the overall verdict in words. Differences are candidate − baseline. An answer that failed counts as the
 * worst value. Holm over the primary metrics, Benjamini–Hochberg over the others. The order of the rows does not matter.
 * @public
 */
export function compareVariants(options: CompareOptions): Comparison {
  const [comparison] = compareCandidates({ ...options, candidates: [options.candidate] })
  return comparison as Comparison
}
