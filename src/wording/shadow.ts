import type { Figure } from "../core/report/figure.ts"
import type { Constraint } from "../estimate/constraints.ts"
import { count, counted } from "../words/number.ts"
import { percent } from "../words/percent.ts"
import { milliseconds, usd } from "../words/quantity.ts"

const skipWords: Readonly<Record<string, string>> = {
  request_too_large: "request too large or of unknown length",
  media: "picture, recording or file",
  several_answers: "several answers asked for",
  stored_state: "needs what the primary's service has stored",
  service_tools: "tools of the primary's service",
  answer_too_large: "answer too large",
  caller_left: "caller hung up",
  primary_failed: "primary failed",
  queue_full: "queue full",
  budget: "budget of the day",
  stopped: "stopped by --stop-when",
  ending: "ending",
  write_failed: "could not be written",
  mirror_failed: "the mirror's thread ended",
}

/** Counts of a shadow, as its line shows them. */
export interface ShadowCounts {
  readonly requests: number
  readonly drawn: number
  readonly stored: number
  readonly failed: number
  readonly lastFailure: string | null
  readonly inFlight: number
  readonly skipped: Readonly<Partial<Record<string, number>>>
  readonly spent: { readonly usd: number; readonly requests: number; readonly tokens: number }
}

/** One line of what a shadow has done. @param budget of a day, as it was written; null: none */
export function shadowLine(
  { requests, drawn, stored, failed, lastFailure, inFlight, skipped, spent }: ShadowCounts,
  budget: string | null,
): string {
  const reasons = Object.entries(skipped).map(([reason, n = 0]) => `${skipWords[reason] ?? reason} ${count(n)}`)
  const parts = [
    counted(requests, "request"),
    `${count(drawn)} drawn`,
    counted(stored, "pair"),
    ...(failed > 0 ? [`candidate failed ${count(failed)}, last ${lastFailure}`] : []),
    ...(inFlight > 0 ? [`${count(inFlight)} in flight`] : []),
    // Without a price what was spent is not known.
    `today ${spent.usd > 0 ? `${usd(spent.usd)}, ` : ""}${counted(spent.requests, "call")}${budget === null ? "" : ` of ${budget}`}`,
    ...(reasons.length > 0 ? [`skipped: ${reasons.join(", ")}`] : []),
  ]
  return parts.join(" · ")
}

/** Why a candidate was stopped. */
export function stopSentence(
  limits: readonly { readonly constraint: Constraint; readonly figure: Figure }[],
  calls: number,
): string {
  const clauses = limits.map(({ constraint, figure }) => {
    if (figure.status === "unknown") return constraint.text
    const shown = (value: number) => (constraint.figure === "availability" ? percent(value) : milliseconds(value))
    const { value, low = null, high = null } = figure
    const range = low === null || high === null ? "" : ` (between ${shown(low)} and ${shown(high)})`
    return `${constraint.text}: ${shown(value)}${range}`
  })
  return `${clauses.join("; ")}, of the last ${count(calls)} calls of the candidate at 99.9 % confidence`
}

/** Said once, when the candidate is stopped. */
export function stoppedLine(sentence: string): string {
  return `nothing more is mirrored: ${sentence}; the primary is served as before`
}
