import type { RunEvent } from "./run-record.ts"
import type { RunStore } from "./run-store.ts"

/** Kind of the run event that says at which wall time a segment's clock began. */
const segmentEvent = "segment"

/** Writes down when a segment's clock begins: its answers' stamps are counted from there. */
export function noteSegmentStart(
  store: Pick<RunStore, "saveEvent">,
  runId: string,
  { segment, wallMs }: { readonly segment: number; readonly wallMs: number },
): void {
  store.saveEvent(runId, { at: new Date(wallMs).toISOString(), kind: segmentEvent, data: { segment } })
}

/** When each segment of a run began, wall time in milliseconds; runs of workers say it of none. */
export function segmentStarts(store: Pick<RunStore, "events">, runId: string): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  // A process that was killed before its first answer leaves the number to the next one: the later counts.
  for (const { at, kind, data } of store.events(runId))
    if (kind === segmentEvent && typeof data.segment === "number") starts.set(data.segment, Date.parse(at))
  return starts
}

/** An event of a run whose segments are renumbered from another first one on, as where runs are joined. */
export function renumbered(event: RunEvent, firstSegment: number): RunEvent {
  const { kind, data } = event
  if (kind !== segmentEvent || typeof data.segment !== "number") return event
  return { ...event, data: { ...data, segment: data.segment + firstSegment } }
}
