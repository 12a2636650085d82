import { count } from "../words/number.ts"
import { roundPercent } from "../words/percent.ts"

/**
 * Whether repeats of the same samples would help.
 *
 * @param withinShare share of the variance that is within samples, 0..1; null where nothing was repeated
 * @param repeats samples and calls needed with 1, 2 … repeats each
 */
export function repeatsAdvice(
  withinShare: number | null,
  repeats: readonly { readonly samples: number; readonly calls: number }[],
): string {
  if (withinShare === null) return "Without repeats it is not known how much of the variance is within samples."
  const share = roundPercent(withinShare)
  const [single, double] = repeats
  if (!single || !double || double.samples >= single.samples * 0.9)
    return `${share} of the variance is within samples: repeats hardly help, ask more samples.`
  const [once, twice, calls, callsOnce] = [single.samples, double.samples, double.calls, single.calls].map(count)
  return `${share} of the variance is within samples: two repeats need ${twice} samples instead of ${once}, but ${calls} calls instead of ${callsOnce}; repeats pay only where samples are scarce.`
}

/** What a plan of samples is based on. */
export const planWords = {
  pilot: (pairs: string, metric: string, verdict: string) => `a pilot of ${pairs} on ${metric} (${verdict} so far)`,
} as const
