import { isFailure, type Outcome } from "../../core/outcome.ts"
import { callId } from "../../core/run/call-id.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { type CallFilter, type Plan, plannedCalls } from "../plan.ts"

/** Calls of an earlier process that brought no answer, by their ids. */
export function failedCalls(
  store: Pick<RunStore, "finished">,
  runId: string,
  classes: readonly Outcome[] | undefined,
): ReadonlySet<string> {
  const failed = new Set<string>()
  for (const call of store.finished(runId))
    if (classes ? classes.includes(call.outcome) : isFailure(call.outcome)) failed.add(callId(call))
  return failed
}

/** No calls at all. */
export const noCalls: ReadonlySet<string> = new Set()

/** The calls among these that the filter does not let through. */
export function withoutCalls(
  calls: ReadonlySet<string>,
  plan: Plan,
  filter: CallFilter | undefined,
): ReadonlySet<string> {
  if (calls.size === 0) return calls
  const left = new Set(calls)
  for (const call of plannedCalls(plan, filter)) left.delete(callId(call))
  return left
}
