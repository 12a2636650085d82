import { samplesForMargin } from "./power.ts"

/** What a bound on a difference means for "not worse by more than the margin". @public */
export type MarginVerdict = "better" | "non_inferior" | "inferior" | "inconclusive"

/**
 * Verdict of one-sided (1 − α) bounds on a difference where larger is better: `better` when the lower bound is above 0,
 * `non_inferior` when it is above −margin, `inferior` when the upper bound is below −margin, else `inconclusive`.
 * @public
 */
export function marginVerdict(low: number, high: number, margin: number): MarginVerdict {
  if (low > 0) return "better"
  if (low > -margin) return "non_inferior"
  if (high < -margin) return "inferior"
  return "inconclusive"
}

/**
 * Samples that would settle the verdict with 80 % power if the observed difference and deviation are the true ones:
 * towards non-inferior when the difference is above −margin, towards inferior below. Null where no number can (the
 * difference sits on the margin, or nothing varies).
 * @public
 */
export function samplesToSettle(difference: number, deviation: number, margin: number, alpha = 0.05): number | null {
  const needed = samplesForMargin(deviation, difference + margin, alpha)
  return Number.isFinite(needed) && needed > 0 && needed < 1e9 ? Math.ceil(needed) : null
}
