import type { ReliabilityChange } from "../../core/report/comparison.ts"
import type { LimitFinding } from "../../core/report/limit.ts"
import type { VariantReport } from "../../core/report/report.ts"
import { newcombeDifference } from "../../stats/intervals/newcombe-interval.ts"
import { methods } from "../../wording/methods.ts"

/** The smallest rise of the share of failed attempts that speaks against a swap, where the run has no limit on it. */
export const smallestReliabilityLoss = 0.01

/**
 * How much more often the attempts of a candidate fail, with Newcombe's interval; null where no model was called on a side, and where
 * nothing failed on either.
 */
export function reliabilityChange(
  baseline: VariantReport | undefined,
  candidate: VariantReport | undefined,
): ReliabilityChange | null {
  const [before, after] = [baseline?.reliability, candidate?.reliability]
  const [first, second] = [before?.attemptFailures, after?.attemptFailures]
  if (!before || !after || first?.status !== "known" || second?.status !== "known") return null
  if (before.failedAttempts + after.failedAttempts === 0) return null
  const bounds = newcombeDifference(boundsOf(second), boundsOf(first))
  const difference = second.value - first.value
  const isProven = bounds.low > 0 || bounds.high < 0
  return {
    baseline: { failed: before.failedAttempts, attempts: before.attempts },
    candidate: { failed: after.failedAttempts, attempts: after.attempts },
    difference,
    ...bounds,
    isProven,
    isMaterial: isProven && Math.abs(difference) >= smallestReliabilityLoss,
    method: methods.newcombe,
  }
}

/** Whether the run says itself how often attempts may fail: then that decides. */
export function limitsReliability(limits: readonly LimitFinding[] = []): boolean {
  return limits.some(({ figure }) => figure === "attemptFailures" || figure === "availability")
}

function boundsOf({
  value,
  low,
  high,
}: {
  readonly value: number
  readonly low?: number | null
  readonly high?: number | null
}) {
  return { value, low: low ?? 0, high: high ?? 1 }
}
