import type { JsonObject } from "../../core/json.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { parseShard, shardSamples } from "./shard.ts"

/** Kind of the run event that says which part of its config's calls a run was started for. */
export const startedPart = "started_part"

/** What the command line chose of the calls, as far as the run's record does not say it. @experimental */
export interface StartedPart {
  /** The first n samples, of a canary's share where there is one. */
  readonly limit?: number
  /** A seeded share of the samples, 0 < share < 1. */
  readonly canary?: number
  /** The baseline was asked twice, against itself. */
  readonly aa?: true
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
  return partOf(
    [...store.events(runId)].flatMap(({ kind, data }) => (kind === startedPart ? [data as StartedPart] : [])),
  )
}

/**
 * How many samples of its data set each run of a store was started to ask, where that is a shard of them; other runs are absent and
 * ask all.
 */
export function shardSizes(
  store: Pick<RunStore, "eventsOfKinds">,
  runs: readonly RunRecord[],
): ReadonlyMap<string, number> {
  const notes = new Map<string, StartedPart[]>()
  for (const { runId, data } of store.eventsOfKinds([startedPart]))
    notes.set(runId, [...(notes.get(runId) ?? []), data as StartedPart])
  return new Map(
    runs.flatMap(({ id, dataset }) => {
      const part = partOf(notes.get(id) ?? [])
      return part.shard === undefined ? [] : [[id, shardSize(dataset.samples, part)]]
    }),
  )
}

/** How many of these samples a run asks that was started for this part: all, but for a shard. */
export function shardSize(samples: number, part?: Pick<StartedPart, "shard">): number {
  const shard = parseShard(part?.shard ?? "")
  return shard ? shardSamples(samples, shard) : samples
}

function partOf(notes: readonly StartedPart[]): StartedPart {
  const { shard, ...part } = notes[0] ?? {}
  return shard !== undefined && notes.every((note) => note.shard === shard) ? { ...part, shard } : part
}
