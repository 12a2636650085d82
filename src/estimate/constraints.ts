import { UsageError } from "../core/errors.ts"
import type { LimitState } from "../core/report/frontier.ts"

/** A limit that a variant must keep, in the figure's base unit. @experimental */
export interface Constraint {
  /** As it was written. */
  readonly text: string
  /** `ttftMs.p95`, `costUsd`, `quality` … */
  readonly figure: string
  /** The figure as it was written, where a table has a column of that name: `cost`. */
  readonly subject: string
  readonly below: boolean
  /** Whether the limit itself is allowed. */
  readonly inclusive: boolean
  readonly limit: number
}

const figures: readonly (readonly [RegExp, string])[] = [
  [/^(ttft|time to first token)$/i, "ttftMs"],
  [/^(e2e|latency|end to end|end-to-end)$/i, "e2eMs"],
  [/^(tpot|time per (output )?token)$/i, "tpotMs"],
  [/^(stop|longest stop)$/i, "longestStopMs"],
  [/^itl$/i, "itlMs"],
  [/^(attempt failures|failed attempts)$/i, "attemptFailures"],
  [/^cost$/i, "costUsd"],
  [/^memory$/i, "memoryBytes"],
  [/^energy$/i, "energyJoules"],
  [/^energy per (correct )?answer$/i, "joulesPerAnswer"],
]

/** Factor to the base unit of a figure: milliseconds, dollars a request, bytes, joules, shares. */
const units: Readonly<Record<string, number>> = {
  "": 1,
  ms: 1,
  s: 1000,
  usd: 1,
  $: 1,
  "%": 0.01,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  j: 1,
}

/**
 * Reads constraints as people write them, joined by "and" or commas: `p95 TTFT < 800 ms and cost < 2 USD per 1,000`.
 * A bare amount of dollars is a cost. Throws {@link UsageError} for what cannot be read.
 *
 * @example parseConstraints("p95 TTFT < 800 ms")[0]?.figure // "ttftMs.p95"
 * @experimental
 */
export function parseConstraints(text: string): Constraint[] {
  return text
    .split(/\s+and\s+|;|,(?!\d{3}\b)/i)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(parseOne)
}

function parseOne(text: string): Constraint {
  const match =
    /^(?:(p\d+(?:\.\d+)?|mean|median|max)\s+)?([^<>=]*?)\s*(<=|>=|≤|≥|<|>)\s*\$?\s*([\d,]*\.?\d+(?:e[+-]?\d+)?)\s*([a-z$%]*)\s*(?:(?:per|\/)\s*([\d,]+)?k?\s*(?:requests?|queries|calls|answers)?)?$/i.exec(
      text,
    )
  if (!match) throw unreadable(text)
  const [, statistic, subject = "", operator = "<", amount = "", unit = "", per] = match
  const factor = units[unit.toLowerCase()]
  if (factor === undefined) throw unreadable(text, `unknown unit "${unit}"`)
  const money = /^(usd|\$)$/i.test(unit) || /[<>=]\s*\$/.test(text)
  const figure = subject === "" ? (money ? "costUsd" : null) : figureOf(subject)
  if (figure === null) throw unreadable(text)
  const thousand = /(per|\/)\s*(1k|k)\b/i.test(text) ? 1000 : 1
  const divisor = per ? number(per) * (/(per|\/)\s*[\d,]+k\b/i.test(text) ? 1000 : 1) : thousand
  return {
    text,
    subject,
    figure: statistic ? `${figure}.${statistic === "median" ? "p50" : statistic.toLowerCase()}` : figure,
    below: operator.startsWith("<") || operator === "≤",
    inclusive: operator !== "<" && operator !== ">",
    limit: (number(amount) * factor) / divisor,
  }
}

/** `latency` and `latency.p95` are words for `e2eMs` and `e2eMs.p95`. */
function figureOf(subject: string): string {
  const [, word = subject, statistic = ""] = /^(.*?)(\.(?:mean|max|p\d+(?:\.\d+)?))?$/.exec(subject) ?? []
  const figure = figures.find(([pattern]) => pattern.test(word))?.[1]
  return figure === undefined ? subject : `${figure}${statistic}`
}

/** Words that a constraint can have for a figure, for suggestions. */
export const constraintWords = [
  "ttft",
  "e2e",
  "latency",
  "tpot",
  "itl",
  "stop",
  "failed attempts",
  "cost",
  "memory",
  "energy",
] as const

function number(text: string): number {
  return Number(text.replaceAll(",", ""))
}

function unreadable(text: string, why = "cannot be read"): UsageError {
  return new UsageError(`the constraint "${text}" ${why}`, {
    hint: 'write for example "p95 TTFT < 800 ms" or "cost < 2 USD per 1,000"',
  })
}

/** Whether a value keeps a constraint; an unknown value does not. */
export function keepsConstraint(value: number | null | undefined, constraint: Constraint): boolean {
  if (value === null || value === undefined || Number.isNaN(value)) return false
  if (constraint.inclusive && value === constraint.limit) return true
  return constraint.below ? value < constraint.limit : value > constraint.limit
}

/**
 * A limit against a figure with its interval: kept where the whole interval keeps it, violated where none of it does, else open.
 * A figure without an interval is exact; an end that is null is not bounded by so small a sample.
 */
export function limitState(
  figure: { readonly value: number; readonly low?: number | null; readonly high?: number | null },
  constraint: Constraint,
): LimitState {
  const { value, low = value, high = value } = figure
  const [best, worst] = constraint.below ? [low, high] : [high, low]
  if (best !== null && !keepsConstraint(best, constraint)) return "violated"
  return worst !== null && keepsConstraint(worst, constraint) ? "kept" : "open"
}
