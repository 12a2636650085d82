import type { JsonObject } from "../../../core/json.ts"
import type { RunStore } from "../../../core/run/run-store.ts"

/** Kind of the run event that says which part of its config's calls a run was started for. */
export const startedPart = "started_part"

/** What the command line chose of the calls, as far as the run's record does not say it. */
export interface StartedPart {
  /** The first n samples, of a canary's share where there is one. */
  readonly limit?: number
  /** A seeded share of the samples, 0 < share < 1. */
  readonly canary?: number
  /** `i/n`: every n-th call, from the i-th on. */
  readonly shard?: string
  /** Asking ends once every comparison is settled. */
  readonly until?: "decided"
}

/** Notes the part, so that a run that goes on asks no call that it was not started for. A run of everything has no note. */
export function saveStartedPart(
  store: Pick<RunStore, "saveEvent">,
  runId: string,
  at: string,
  part: StartedPart,
): void {
  if (Object.keys(part).length > 0) store.saveEvent(runId, { at, kind: startedPart, data: { ...part } as JsonObject })
}

/**
 * The part that a run was started for; nothing for all calls, and for a run of a version that did not note it. A run that was joined of
 * several parts has the note of each, and is none of them alone.
 */
export function startedPartOf(store: Pick<RunStore, "events">, runId: string): StartedPart {
  const notes = [...store.events(runId)].flatMap(({ kind, data }) =>
    kind === startedPart ? [data as StartedPart] : [],
  )
  const { shard, ...part } = notes[0] ?? {}
  return shard !== undefined && notes.every((note) => note.shard === shard) ? { ...part, shard } : part
}
