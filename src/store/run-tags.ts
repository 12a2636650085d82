import { UsageError } from "../core/errors.ts"
import type { RunEvent } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"

/** Kinds of the run events that hold what people say of a run. */
const tagsEvent = "tags"
const noteEvent = "note"

/** What a person wrote of a run. */
export interface RunNote {
  /** ISO 8601. */
  readonly at: string
  readonly text: string
}

const maxTagLength = 40
/** Characters of a note, at most. */
export const longestNote = 2000

/** The tags of a run, in alphabetical order. */
export function runTags(store: Pick<RunStore, "events">, runId: string): readonly string[] {
  return tagsOf(store.events(runId))
}

/** What people said of all runs, by run, in one reading of the store; runs of which nobody said anything are absent. */
export function annotationsOf(
  store: Pick<RunStore, "eventsOfKinds">,
): ReadonlyMap<string, { readonly tags: readonly string[]; readonly notes: readonly RunNote[] }> {
  const events = new Map<string, RunEvent[]>()
  for (const event of store.eventsOfKinds([tagsEvent, noteEvent])) {
    const existing = events.get(event.runId)
    if (existing) existing.push(event)
    else events.set(event.runId, [event])
  }
  return new Map([...events].map(([runId, own]) => [runId, { tags: tagsOf(own), notes: notesOf(own) }]))
}

function tagsOf(events: Iterable<RunEvent>): readonly string[] {
  const tags = new Set<string>()
  for (const { kind, data } of events) {
    if (kind !== tagsEvent) continue
    for (const tag of words(data.remove)) tags.delete(tag)
    for (const tag of words(data.add)) tags.add(tag)
  }
  return [...tags].sort()
}

function notesOf(events: Iterable<RunEvent>): readonly RunNote[] {
  return [...events].flatMap(({ at, kind, data }) =>
    kind === noteEvent && typeof data.text === "string" ? [{ at, text: data.text }] : [],
  )
}

/**
 * Adds tags to a run and takes others away.
 *
 * @throws {UsageError} for a tag that is empty, longer than 40 characters, or has spaces, commas or control characters
 */
export function tagRun(
  store: Pick<RunStore, "saveEvent">,
  runId: string,
  { add, remove, at }: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly at: string },
): void {
  for (const tag of add)
    if (tag === "" || tag.length > maxTagLength || /[\s,\p{C}]/u.test(tag))
      throw new UsageError("a tag is one word of up to 40 characters", {
        code: "tag_wrong",
        where: `tag ${JSON.stringify(tag.slice(0, 60))}`,
      })
  store.saveEvent(runId, { at, kind: tagsEvent, data: { add, remove } })
}

/** What people wrote of a run, the oldest first. */
export function runNotes(store: Pick<RunStore, "events">, runId: string): readonly RunNote[] {
  return notesOf(store.events(runId))
}

/**
 * Writes a note to a run.
 *
 * @throws {UsageError} for an empty one, or one of more than 2,000 characters
 */
export function noteRun(store: Pick<RunStore, "saveEvent">, runId: string, { at, text }: RunNote): void {
  if (text.trim() === "" || text.length > longestNote)
    throw new UsageError("a note has between 1 and 2,000 characters", {
      code: "note_wrong",
      where: `${text.length} characters`,
    })
  store.saveEvent(runId, { at, kind: noteEvent, data: { text } })
}

function words(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((tag) => typeof tag === "string") : []
}
