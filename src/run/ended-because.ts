import type { RunStore } from "../core/run/run-store.ts"

/** Kind of the run event that says why a run ended without all of its answers. */
export const endedEvent = "ended_early"

/** Why the run ended without all of its answers, in a sentence; null where it has them, or nobody said. */
export function endedBecause(store: Pick<RunStore, "events">, runId: string): string | null {
  let latest: string | null = null
  for (const { kind, data } of store.events(runId)) {
    if (kind === endedEvent && typeof data.reason === "string") latest = data.reason
  }
  return latest
}
