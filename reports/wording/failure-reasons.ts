import type { Outcome } from "../../src/core/outcome.ts"
import type { RunReport, VariantReport } from "../../src/core/report/report.ts"
import { count, counted } from "../../src/words/number.ts"
import { failedCount } from "../view-model/variant-columns.ts"

/** Requests that failed alike. */
export interface FailureReason {
  readonly outcome: Outcome
  /** In the words of the service, or of evalkit; empty where nothing was said. */
  readonly message: string
  readonly count: number
  readonly variants: readonly string[]
}

/** What went wrong with the requests of a run, over all variants, the most frequent first; empty where nothing did. */
export function failureReasons({ variants }: Pick<RunReport, "variants">): readonly FailureReason[] {
  const byKey = new Map<string, { outcome: Outcome; message: string; count: number; variants: string[] }>()
  for (const { name, failures = [] } of variants)
    for (const { outcome, message, count: times } of failures) {
      const key = `${outcome} ${message}`
      const entry = byKey.get(key) ?? { outcome, message, count: 0, variants: [] }
      entry.count += times
      entry.variants.push(name)
      byKey.set(key, entry)
    }
  return [...byKey.values()].sort((a, b) => b.count - a.count)
}

/** One reason as a line: `40 of a and b: refused by the service: HTTP 401: invalid key`. */
export function reasonLine({ outcome, message, count: times, variants }: FailureReason): string {
  const shown = variants.length > maxNames ? `${variants.length} variants` : variants.join(", ")
  return `${count(times)} of ${shown}: ${outcomeWords[outcome] ?? outcome}${message === "" ? "" : `: ${message}`}`
}

/** Failures of a variant that no kept reason accounts for. */
export function otherFailures(variant: VariantReport): number {
  const explained = (variant.failures ?? []).reduce((sum, failure) => sum + failure.count, 0)
  return Math.max(0, failedCount(variant) - explained)
}

/** `3 of 40 requests failed`. */
export function failedShare(report: Pick<RunReport, "variants">): string {
  const failed = report.variants.reduce((sum, variant) => sum + failedCount(variant), 0)
  const all = report.variants.reduce((sum, variant) => sum + variant.finished, 0)
  return `${count(failed)} of ${counted(all, "request")} failed`
}

const maxNames = 3

/**
 * What broke without the name of a class of failures: the class in words, and what the service said.
 *
 * @example withoutClass("http_5xx: HTTP 500 from the worker") // "the service failed: HTTP 500 from the worker"
 */
export function withoutClass(text: string): string {
  return text.replace(
    /^(?:failure: )?([a-z0-9_]{2,30})(?=: )|failure: ([a-z0-9_]{2,30})(?=: )/,
    (all, first, later) => {
      const name = first ?? later
      return Object.hasOwn(outcomeWords, name) ? outcomeWords[name as Outcome] : all
    },
  )
}

/** Each outcome in words that need no list. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  ok: "answered",
  length: "cut off at the token limit",
  refused: "refused by the model",
  empty: "empty answer",
  thinking_only: "ended inside its thinking",
  length_empty: "token limit reached before an answer began",
  step_limit: "ended at the limit of steps",
  turn_limit: "ended at the limit of turns",
  user_failed: "the model that plays the user failed",
  truncated: "the answer broke off",
  malformed: "the answer could not be read",
  stream_error: "the service reported an error in the middle of the answer",
  http_4xx: "refused by the service",
  rate_limited: "too many requests for the service",
  http_5xx: "the service failed",
  timeout_connect: "no connection in time",
  timeout_first_token: "no first token in time",
  timeout_gap: "the stream stood still for too long",
  timeout_total: "no whole answer in time",
  connection: "no connection",
  application_error: "the application ended with an error",
  batch_expired: "the batch's time was over",
  batch_cancelled: "the batch was cancelled",
  batch_failed: "the service gave the batch up",
  batch_missing: "the batch has no answer to it",
  cancelled: "cancelled",
  client_fault: "a fault of evalkit's own",
}
