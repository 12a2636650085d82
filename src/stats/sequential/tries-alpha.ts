/**
 * Error rate of new tries at a set of samples that was looked at before: try k has alpha · 2^(1−k), so that all tries after the first
 * err in at most alpha together, however many follow and whatever was seen before each. Tries that are made in one go share their sum.
 * Spending by a fixed series: Tian and Ramdas, "Online control of the familywise error rate", Stat Methods Med Res 30 (2021), section 2.
 *
 * @param alpha error rate of the first try, between 0 and 1
 * @param before tries so far, at least 1
 * @param tries made in one go, at least 1
 * @example triesAlpha(0.05, 2) // 0.0125: the third try
 * @experimental
 */
export function triesAlpha(alpha: number, before: number, tries = 1): number {
  return alpha * (2 ** (1 - before) - 2 ** (1 - before - tries))
}
