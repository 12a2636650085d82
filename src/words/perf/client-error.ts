import { significant } from "../number.ts"
import { roundPercent } from "../percent.ts"

/** Name of the check that a run makes of its own client, by which reports find it. */
export const clientErrorCheckName = "no decision rests on a time within evalkit's own timing error"

/** What the check of a run's own client found. */
export interface ClientErrorFinding {
  /** Medians of the client's error, in milliseconds. */
  readonly ttftMs: number
  readonly itlMs: number
  /** Share of the time in which the event loop was busy, 0..1. */
  readonly busyShare: number
  /** Times that the error is over 5 % of. */
  readonly marked: number
  /** Figures whose distance from a limit is within the error: `e2eMs.p50 of a`. */
  readonly undecided: readonly string[]
}

/** The finding as the check's message. */
export function clientErrorMessage({ ttftMs, itlMs, busyShare, marked, undecided }: ClientErrorFinding): string {
  const facts = `TTFT ±${short(ttftMs)}, ITL ±${short(itlMs)} (medians), event loop busy ${roundPercent(busyShare)}`
  const doubt = undecided.length === 0 ? "" : `: too large for the limits on ${summary(undecided)}`
  return `${facts}${doubt}${markedNote(marked)}`
}

function markedNote(marked: number): string {
  if (marked === 0) return ""
  return marked === 1
    ? "; 1 time has ~ in its cell, for it is over 5 % of it"
    : `; ${marked} times have ~ in their cell, for it is over 5 % of them`
}

function summary(figures: readonly string[]): string {
  return figures.length <= 3
    ? figures.join(", ")
    : `${figures.slice(0, 2).join(", ")} and ${figures.length - 2} more figures`
}

function short(ms: number): string {
  return ms < 0.1 ? `${Math.round(ms * 1000)} µs` : `${significant(ms, 2)} ms`
}
