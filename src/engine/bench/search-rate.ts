import type { RateSearch, RateTrial } from "../../perf/bench/bench-result.ts"
/** Where a search begins and how fine it ends. */
export interface RateSearchOptions {
  readonly startRate: number
  /** The search ends when the highest good and the lowest broken rate are this close, as a share. Default 0.05. */
  readonly precision?: number
  /** Not tried below: an endpoint that breaks its objectives when idle does so at any rate. Default a 16th of the start. */
  readonly lowestRate?: number
  /** Trials at most. Default 12. */
  readonly maxTrials?: number
}

/**
 * The highest rate that still meets the SLO: doubles (or halves) until both sides are known, then bisects on a
 * logarithmic scale.
 *
 * @param tryRate measures one rate; null ends the search (interrupted)
 */
export async function searchRate(
  tryRate: (ratePerSecond: number) => Promise<boolean | null>,
  { startRate, precision = 0.05, maxTrials = 12, lowestRate = startRate / 16 }: RateSearchOptions,
): Promise<RateSearch> {
  const trials: RateTrial[] = []
  let good: number | null = null
  let broken: number | null = null
  let rate = startRate
  while (trials.length < maxTrials && rate >= lowestRate) {
    const meetsSlo = await tryRate(rate)
    if (meetsSlo === null) break
    trials.push({ ratePerSecond: rate, meetsSlo })
    if (meetsSlo) good = Math.max(good ?? 0, rate)
    else broken = Math.min(broken ?? Number.POSITIVE_INFINITY, rate)
    if (good !== null && broken !== null && broken <= good * (1 + precision)) break
    rate = broken === null ? rate * 2 : good === null ? rate / 2 : Math.sqrt(good * broken)
  }
  return { highestRate: good, lowestBroken: broken, trials }
}
