import type { RunStore } from "./run-store.ts"

/** Kind of the run event that says which parts a run was joined from: its data has a member for the id of each. */
export const mergedEvent = "merged"

/** Ids of runs whose answers stand in a run that was joined from them: who counts runs or their answers counts that one. */
export function mergedParts(store: Pick<RunStore, "eventsOfKinds">): ReadonlySet<string> {
  const parts = new Set<string>()
  for (const { data } of store.eventsOfKinds([mergedEvent])) for (const id of Object.keys(data)) parts.add(id)
  return parts
}
