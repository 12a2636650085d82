import { type Figure, unknown } from "../../core/report/figure.ts"
import { speedReasons } from "../../words/perf/speed.ts"
import { wilsonRate } from "../wilson.ts"
import { errorBudget } from "./error-budget.ts"

/** How many requests were answered, at a time. */
export interface AnsweredAt {
  /** When they ended; wall time, milliseconds. */
  readonly atMs: number
  readonly answered: number
  readonly asked: number
}

/** A long window and the short one within it that must both burn too fast. */
export interface BurnWindow {
  readonly longMs: number
  readonly shortMs: number
  /** Burn rate from which on it alarms. */
  readonly threshold: number
}

const hour = 3_600_000

/**
 * The windows that Google's Site Reliability Workbook (2018, chapter 5) recommends: 2 % of a month's budget within an hour, 5 % within six
 * hours, 10 % within three days; the short window, a twelfth of the long one, ends the alarm soon after the errors have ended.
 */
export const burnWindows: readonly BurnWindow[] = [
  { longMs: hour, shortMs: hour / 12, threshold: 14.4 },
  { longMs: 6 * hour, shortMs: hour / 2, threshold: 6 },
  { longMs: 72 * hour, shortMs: 6 * hour, threshold: 1 },
]

/** Burn rates over one pair of windows. */
export interface BurnAlarm extends BurnWindow {
  readonly long: Figure
  readonly short: Figure
  readonly alarm: boolean
}

/**
 * Error-budget burn by several windows. It alarms where the long window's burn rate is above the threshold with 95 % confidence (the lower
 * bound of its interval), since few requests make single failures look like a fire, and the short window's is above it, too. A window
 * without requests is unknown and alarms nothing. A short window that is shorter than the time between two looks is as long as that time.
 *
 * @param target share of requests that must be answered, above 0 and below 1
 * @param nowMs where the windows end: when the newest request ended
 * @param everyMs time between two looks
 * @example burnAlarms([{ atMs: 0, answered: 0, asked: 500 }], { target: 0.999, nowMs: 1000, everyMs: 60_000 })[0].alarm // true
 */
export function burnAlarms(
  counts: readonly AnsweredAt[],
  { target, nowMs, everyMs }: { readonly target: number; readonly nowMs: number; readonly everyMs: number },
): readonly BurnAlarm[] {
  const burnOver = (windowMs: number): Figure => {
    const within = counts.filter(({ atMs }) => atMs > nowMs - windowMs && atMs <= nowMs)
    const asked = within.reduce((sum, answeredAt) => sum + answeredAt.asked, 0)
    if (asked === 0) return unknown(speedReasons.nothingAsked)
    const answered = within.reduce((sum, answeredAt) => sum + answeredAt.answered, 0)
    return errorBudget(wilsonRate(answered, asked), target).burnRate
  }
  return burnWindows.map((window) => {
    const long = burnOver(Math.max(window.longMs, everyMs))
    const short = burnOver(Math.max(window.shortMs, everyMs))
    const alarm =
      long.status === "known" &&
      short.status === "known" &&
      (long.low ?? 0) > window.threshold &&
      short.value > window.threshold
    return { ...window, long, short, alarm }
  })
}
