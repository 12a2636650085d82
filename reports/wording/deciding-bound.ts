import type { MetricComparison } from "../../src/core/report/comparison.ts"

/** The one-sided bound that the margin was held to: of the loss, and of the gain where the candidate is worse. */
export function decidingBound(
  finding: Pick<MetricComparison, "direction" | "verdict" | "lowBound" | "highBound">,
): number | null {
  const { direction, verdict, lowBound = null, highBound = null } = finding
  return (direction === "higher") === (verdict !== "inferior") ? lowBound : highBound
}
