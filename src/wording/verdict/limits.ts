import type { LimitFinding } from "../../core/report/limit.ts"
import { listed } from "../../words/names.ts"
import { count } from "../../words/number.ts"

/** Findings of limits that are not known to be kept, the broken ones first. */
export function limitsNotKept(limits: readonly LimitFinding[] = []): LimitFinding[] {
  return [
    ...limits.filter(({ state }) => state === "violated"),
    ...limits.filter(({ state }) => state === "open" || state === "unknown"),
  ]
}

/** A limit that is not kept as a part of a sentence: `it must keep "cost < 2 USD", but cost is 3 USD per 1,000`. */
export function limitClause({ limit, state, found }: LimitFinding): string {
  if (state === "violated") return `it must keep "${limit}", but ${found}`
  return `whether it keeps the limit "${limit}" is ${state}: ${found}`
}

/** Which limits are broken: one with what was found, several by their names; each has a line of its own in every output. */
export function brokenWords(limits: readonly LimitFinding[] = []): string {
  const broken = limits.filter(({ state }) => state === "violated")
  const [only] = broken
  if (only && broken.length === 1) return limitClause(only)
  return `it breaks ${count(broken.length)} limits, ${named(broken)}`
}

/** The same of limits of which it is not known whether they are kept. */
export function openLimitWords(limits: readonly LimitFinding[] = []): string {
  const open = limits.filter(({ state }) => state === "open" || state === "unknown")
  const [only] = open
  if (only && open.length === 1) return limitClause(only)
  return `whether it keeps ${count(open.length)} limits, ${named(open)}, is not known`
}

function named(limits: readonly LimitFinding[]): string {
  return listed(limits.map(({ limit }) => `"${limit}"`))
}
