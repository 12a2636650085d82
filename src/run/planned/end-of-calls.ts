import { isOpen } from "../../core/batch/batch-record.ts"
import { isFailure } from "../../core/outcome.ts"
import type { RunRecord, RunStatus } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { callWords } from "../../words/run/calls.ts"
import { type CallFilter, type Plan, plannedCalls } from "../plan.ts"
import { createCallSet } from "./call-set.ts"

/** What the process that made the calls knows of their end. */
export interface CallsEnd {
  /** Why the run as a whole stopped; null where nothing stopped it. */
  readonly stop: string | null
  /** Why the budget had no room for calls of a variant, by its name. */
  readonly unaffordable: ReadonlyMap<string, string>
  readonly scored: boolean
}

/** Whether every call of the plan has an answer on record, and if not, why. */
export function endOfCalls(
  { store, signal }: { readonly store: RunStore; readonly signal: AbortSignal },
  record: RunRecord,
  plan: Plan,
  filter: CallFilter | undefined,
  { stop, unaffordable, scored }: CallsEnd,
): { readonly status: RunStatus; readonly reason: string | null } {
  const open = store.batches(record.id).filter(isOpen)
  const there =
    open.length === 0 ? "" : callWords.batchesLeft(open.length === 1 ? "a batch is" : `${open.length} batches are`)
  if (signal.aborted) return { status: "interrupted", reason: `interrupted${there || "; continue"} with --resume` }
  const finished = createCallSet({ ...record, order: plan.order })
  const unanswered = new Set(record.variants.map(({ name }) => name))
  const awaited = new Set(open.flatMap(({ calls }) => calls))
  for (const call of store.finished(record.id)) {
    // A failure that a batch asks again is no end.
    if (!isFailure(call.outcome) || !awaited.has(call.position)) finished.add(call)
    if (!isFailure(call.outcome)) unanswered.delete(call.variant)
  }
  let planned = 0
  const missingOf = new Map<string, number>()
  const asked = new Set<string>()
  for (const call of plannedCalls(plan, filter)) {
    planned++
    asked.add(call.variant)
    if (!finished.has(call)) missingOf.set(call.variant, (missingOf.get(call.variant) ?? 0) + 1)
  }
  const missing = [...missingOf.values()].reduce((sum, count) => sum + count, 0)
  const silent = [...unanswered].filter((name) => asked.has(name))
  if (missing === 0 && scored && silent.length > 0)
    return { status: "incomplete", reason: callWords.noneAnswered(silent.join(", ")) }
  if (missing === 0 && scored) return { status: "finished", reason: null }
  if (missing === 0) return { status: "incomplete", reason: callWords.notScored(String(stop)) }
  const reason =
    stop ??
    reasonsOf(missingOf, asked.size, (name) => {
      const state = store.variantState(record.id, name)
      return state?.failure ?? state?.givenUp ?? unaffordable.get(name) ?? unknownReason
    })
  return { status: "incomplete", reason: callWords.unanswered(missing, planned, reason) }
}

/** Nothing on record says why calls were not made: a guess would be believed. */
const unknownReason = callWords.notOnRecord

/** Why variants were not asked to the end: one reason of all of them as it is, others with the variants that they are of. */
function reasonsOf(
  missingOf: ReadonlyMap<string, number>,
  variantsAsked: number,
  reasonOf: (variant: string) => string,
): string {
  const variants = new Map<string, string[]>()
  for (const name of missingOf.keys()) {
    const reason = reasonOf(name)
    variants.set(reason, [...(variants.get(reason) ?? []), name])
  }
  const [[only] = [""], ...others] = variants
  if (others.length === 0 && missingOf.size === variantsAsked) return only
  return [...variants].map(([reason, names]) => `${names.join(", ")}: ${reason}`).join(" · ")
}
