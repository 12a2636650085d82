import type { Measured } from "../core/metric/metric.ts"
import type { UnscoredCode } from "../core/metric/unscored-code.ts"

/** Codes that say nothing of the answer, only of what was to measure it. */
const faults: ReadonlySet<UnscoredCode> = new Set<UnscoredCode>([
  "metric_failed",
  "metric_timeout",
  "judge_failed",
  "judge_unparseable",
  "panel_empty",
  "panel_quorum",
  "claims_failed",
  "claims_unparseable",
  "moderation_failed",
  "model_unavailable",
  "missing_package",
  "no_embedder",
])

/** Whether what was to measure an answer failed. */
export function isFault(measured: Measured<unknown>): boolean {
  return measured.status === "unscored" && faults.has(measured.code)
}

/** Whether a row says only that no answer came. */
export function isOfFailure(measured: Measured<unknown>): boolean {
  return measured.status === "unscored" && (measured.code === "failed" || measured.code === "user_failed")
}

/**
 * Whether a row stays as it is when its answer is scored again: one that waits for something does not, nor one of a failure, which costs
 * nothing to make again: its answer may have come while it was made.
 *
 * @param repair nor one of which what was to measure failed
 */
export function isFinalRow(measured: Measured<unknown>, repair: boolean): boolean {
  if (measured.status === "unscored" && measured.code === "not_yet") return false
  return !isOfFailure(measured) && !(repair && isFault(measured))
}
