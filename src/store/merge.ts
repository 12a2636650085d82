import { UsageError } from "../core/errors.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"

/**
 * Joins runs of one plan (shards, or parts that were imported from other machines) into a new run. An answer that several
 * parts have is taken from the first; what models of metrics cost adds up over all. All of it is written, or nothing.
 * @returns the new run's record; `finished` when the parts together have every answer, else `incomplete`
 * @throws {UsageError} when the plans differ, or a run is named twice
 */
export function mergeRuns(store: RunStore, parts: readonly RunRecord[], id: string, now: string): RunRecord {
  const [first] = parts
  if (!first || parts.length < 2) throw new UsageError("merging needs at least two runs", { where: "merge" })
  for (const part of parts) {
    if (part.plan !== first.plan) {
      throw new UsageError("these runs are of different plans", {
        code: "plan_changed",
        where: `${first.id} and ${part.id}`,
        hint: "data set, variants, repeats and seed must be the same",
      })
    }
  }
  if (new Set(parts.map((part) => part.id)).size < parts.length)
    throw new UsageError("a run is named twice", {
      where: parts.map((part) => part.id).join(", "),
      hint: "name each part once",
    })
  return store.atomically(() => joined(store, parts, first, id, now))
}

function joined(store: RunStore, parts: readonly RunRecord[], first: RunRecord, id: string, now: string): RunRecord {
  const record: RunRecord = { ...first, id, startedAt: earliest(parts), finishedAt: now, status: "incomplete" }
  store.createRun(record)
  const known = new Set<string>()
  let segment = -1
  for (const part of parts) {
    const firstSegment = segment + 1
    for (const { name } of first.variants) {
      for (const generation of store.generations(part.id, name)) {
        const key = `${name}\u0000${generation.repeat}\u0000${generation.sampleId}`
        if (known.has(key)) continue
        known.add(key)
        store.saveGeneration(id, { ...generation, segment: generation.segment + firstSegment })
        const rows = store.answerRows(part.id, generation)
        if (rows.length > 0) store.saveRows(id, rows)
        segment = Math.max(segment, generation.segment + firstSegment)
      }
      const state = store.variantState(part.id, name)
      if (state && !store.variantState(id, name)) store.saveVariantState(id, name, state)
    }
    for (const event of store.events(part.id)) store.saveEvent(id, event)
    for (const { attempt, ...call } of store.attempts(part.id)) store.saveAttempt(id, call, attempt)
    for (const call of store.modelCalls(part.id)) store.saveModelCall(id, call, null)
    for (const label of store.labels(part.id)) store.saveLabel(id, label)
  }
  const planned = first.dataset.samples * first.repeats * first.variants.length
  const status = known.size >= planned ? "finished" : "incomplete"
  store.setStatus(id, status, now)
  return { ...record, status }
}

function earliest(parts: readonly RunRecord[]): string {
  return parts.map(({ startedAt }) => startedAt).sort()[0] as string
}
