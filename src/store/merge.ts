import { createHash } from "node:crypto"
import { UsageError } from "../core/errors.ts"
import { canonicalJson, type JsonObject } from "../core/json.ts"
import { callId } from "../core/run/call-id.ts"
import { mergedEvent } from "../core/run/merged-parts.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore, StoredRow } from "../core/run/run-store.ts"
import { renumbered } from "../core/run/segment-start.ts"
import { inPart, joinStates } from "./merge-states.ts"
import { createRowBatch } from "./row-batch.ts"

/**
 * Joins runs of one plan (shards, or parts that were imported from other machines) into a new run. An answer that several
 * parts have is taken from the first; what models of metrics cost and what the parts' servers used adds up over all. All of it is written, or nothing. Parts
 * that were joined before, and are as they were then, are not joined a second time: that run is returned.
 * @param id the new run's
 * @returns the run's record; `finished` when the parts together have every answer, else `incomplete`
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
  const from = partsOf(store, parts)
  const existing = store.runs().find((run) => run.plan === first.plan && isJoinOf(store, run, from))
  return existing ?? store.atomically(() => joined(store, parts, from, { id, now }))
}

/** The parts, each with a hash of what it has now: its calls, how they ended, and what it reports of them. */
function partsOf(store: RunStore, parts: readonly RunRecord[]): JsonObject {
  return Object.fromEntries(
    parts.map(({ id }) => {
      const hash = createHash("sha256")
      for (const { variant, sampleId, repeat, outcome } of store.finished(id))
        hash.update(`${JSON.stringify([variant, sampleId, repeat, outcome])}\n`)
      return [
        id,
        hash
          .update(JSON.stringify(store.report(id)))
          .digest("hex")
          .slice(0, 32),
      ]
    }),
  )
}

/** Whether a run was joined from these parts as they are. */
function isJoinOf(store: RunStore, { id }: RunRecord, from: JsonObject): boolean {
  for (const { kind, data } of store.events(id))
    if (kind === mergedEvent && canonicalJson(data) === canonicalJson(from)) return true
  return false
}

function joined(
  store: RunStore,
  parts: readonly RunRecord[],
  from: JsonObject,
  { id, now }: { readonly id: string; readonly now: string },
): RunRecord {
  const first = parts[0] as RunRecord
  const startedAt = earliest(parts)
  const mergedAt = afterAll(parts, now)
  const record: RunRecord = { ...first, id, startedAt, mergedAt, finishedAt: now, status: "incomplete" }
  store.createRun(record)
  /** The part that each answer is from. */
  const byKey = new Map<string, RunRecord>()
  let lastSegment = -1
  for (const part of parts) {
    const firstSegment = lastSegment + 1
    for (const { name } of first.variants) {
      let answers = 0
      let taken = 0
      for (const generation of store.generations(part.id, name)) {
        answers++
        const key = callId(generation)
        if (byKey.has(key)) continue
        byKey.set(key, part)
        taken++
        // Recorded stamps have one origin, whichever process read them.
        const segment = generation.source === "recorded" ? generation.segment : generation.segment + firstSegment
        store.saveGeneration(id, { ...generation, segment })
        lastSegment = Math.max(lastSegment, segment)
      }
      const state = store.variantState(part.id, name)
      const before = store.variantState(id, name)
      if (state && (taken > 0 || !before))
        store.saveVariantState(id, name, joinStates(before, taken < answers ? inPart(state, part.id) : state))
    }
    for (const event of store.events(part.id))
      if (event.kind !== mergedEvent) store.saveEvent(id, renumbered(event, firstSegment))
    for (const { attempt, ...call } of store.attempts(part.id)) store.saveAttempt(id, call, attempt)
    for (const call of store.modelCalls(part.id)) store.saveModelCall(id, call, null)
    for (const label of store.labels(part.id)) store.saveLabel(id, label)
  }
  for (const { name } of first.variants) saveRows(store, parts, id, name, byKey)
  saveOpenSteps(store, parts, id, byKey)
  store.saveEvent(id, { at: now, kind: mergedEvent, data: from })
  const planned = first.dataset.samples * first.repeats * first.variants.length
  const status = byKey.size >= planned ? "finished" : "incomplete"
  store.setStatus(id, status, now)
  return { ...record, status }
}

/** The rows of a variant, each from the part that its answer is from, in the order in which blocks of them are made. */
function saveRows(
  store: RunStore,
  parts: readonly RunRecord[],
  id: string,
  variant: string,
  from: ReadonlyMap<string, RunRecord>,
): void {
  const rows = createRowBatch(store, id)
  for (const metric of new Set(parts.flatMap((part) => store.scoredMetrics(part.id, variant))))
    for (const row of inSampleOrder(parts.map((part) => ownRows(store, part, variant, metric, from)))) rows.add(row)
  rows.flush()
}

function* ownRows(
  store: RunStore,
  part: RunRecord,
  variant: string,
  metric: string,
  from: ReadonlyMap<string, RunRecord>,
): Generator<StoredRow> {
  for (const row of store.rows(part.id, variant, metric)) if (from.get(callId(row)) === part) yield row
}

/** The rows of several sorted lists as one. */
function* inSampleOrder(lists: readonly Generator<StoredRow>[]): Generator<StoredRow> {
  const heads = lists.map((list) => list.next())
  for (;;) {
    let first = -1
    for (const [i, head] of heads.entries())
      if (!head.done && (first < 0 || isBefore(head.value, heads[first]!.value))) first = i
    if (first < 0) return
    yield heads[first]!.value
    heads[first] = lists[first]!.next()
  }
}

const isBefore = (a: StoredRow, b: StoredRow): boolean =>
  a.sampleId === b.sampleId ? a.repeat < b.repeat : a.sampleId < b.sampleId

/** Steps of calls that no part answered, of each call from the first part that has some. */
function saveOpenSteps(
  store: RunStore,
  parts: readonly RunRecord[],
  id: string,
  answered: ReadonlyMap<string, RunRecord>,
): void {
  const taken = new Map<string, string>()
  for (const part of parts)
    for (const { step, number, ...call } of store.steps(part.id)) {
      const key = callId(call)
      if (answered.has(key) || (taken.get(key) ?? part.id) !== part.id) continue
      taken.set(key, part.id)
      const attempts = step.kind === "model" && step.retries.length > 0 ? [...store.attempts(id, call)] : []
      store.saveStep(id, call, number, step)
      for (const { attempt } of attempts) store.saveAttempt(id, call, attempt)
    }
}

/** A time after the start of every part, also where clocks of other machines are ahead. */
function afterAll(parts: readonly RunRecord[], now: string): string {
  const latestMs = Math.max(...parts.map(({ startedAt }) => Date.parse(startedAt)))
  return Date.parse(now) > latestMs ? now : new Date(latestMs + 1).toISOString()
}

function earliest(parts: readonly RunRecord[]): string {
  return parts.map(({ startedAt }) => startedAt).sort()[0] as string
}
