import { givenUpBecause } from "../../calls/given-up.ts"
import { createGroupCommit } from "../../calls/group-commit.ts"
import { parametersOf } from "../../calls/model-request.ts"
import type { GenerateObserver } from "../../calls/observer.ts"
import { messageOf } from "../../core/errors.ts"
import { canonicalJson, type JsonObject } from "../../core/json.ts"
import type { ProviderSession, ResourceUsage } from "../../core/provider.ts"
import { callId } from "../../core/run/call-id.ts"
import type { VariantState } from "../../core/run/run-record.ts"
import type { CallKey } from "../../core/run/run-store.ts"
import { noteSegmentStart } from "../../core/run/segment-start.ts"
import type { ServerTotals } from "../../core/run/server-totals.ts"
import type { Variant } from "../../core/variant.ts"
import { addResources } from "../../perf/server/add-resources.ts"
import { callWords } from "../../words/run/calls.ts"
import { type CallFilter, laneOf, machineLane, type Phase, type Plan, type PlannedCall } from "../plan.ts"
import { type CallSet, createCallSet } from "../planned/call-set.ts"
import type { RunStage } from "../run-stage.ts"
import { createServerWatches, type ServerWatches } from "../server-watches.ts"
import { type FirstCaller, firstCalls } from "./first-calls.ts"
import { type PhaseTask, startPhase } from "./run-phase.ts"

/** What the generation stage is to do. */
export interface GenerateTask {
  readonly plan: Plan
  /** Only these calls of the plan. Default: all. */
  readonly wanted?: CallFilter
  /** Calls that failed in an earlier process and are to be asked again, by their ids. */
  readonly callsToRepeat: ReadonlySet<string>
  readonly observer: GenerateObserver
  /** Called once the first calls have brought answers, before any other call is sent; false ends the stage. */
  afterFirstCalls?(): Promise<boolean>
  /** Calls that only try the endpoint before a batch is sent. Default: none. */
  isTrial?(call: PlannedCall): boolean
}

/**
 * Makes every planned call that has no answer in the store yet. Lanes run side by side; within a lane the variants take turns.
 * A variant whose session cannot be opened is on record as failed, and the others go on. Sessions stay open: the caller
 * closes them.
 */
export async function generate(run: RunStage, task: GenerateTask): Promise<void> {
  const { store, record, control } = run
  const isAskedAgain = (call: CallKey): boolean => task.callsToRepeat.size > 0 && task.callsToRepeat.has(callId(call))
  const finished = createCallSet({ ...record, order: task.plan.order })
  for (const call of store.finished(record.id)) if (!isAskedAgain(call)) finished.add(call)
  let segment = store.lastSegment(record.id)
  const attempted = new Set<string>()
  for (const call of store.attempts(record.id)) attempted.add(callId(call))
  const { isTrial } = task
  const shared = { isAskedAgain, attempted, commit: createGroupCommit(store), ...(isTrial && { isTrial }) }
  const nextSegment = (): number => {
    noteSegmentStart(store, record.id, { segment: ++segment, wallMs: control.clock.wall() })
    return segment
  }
  const lane: LaneTask = { finished, task, shared, watches: createServerWatches(run), nextSegment }
  if (!(await beginWithOneCallEach(run, lane))) return
  const lanes = [...task.plan.lanes.values()].map((phases) =>
    runLane(run, phases, lane).catch((error: unknown) => {
      // What one lane cannot go on from ends the others, too; each finishes what it has in flight.
      control.halt(error)
      throw error
    }),
  )
  const ends = await Promise.allSettled(lanes)
  const fault = ends.find((end) => end.status === "rejected")
  if (fault) throw fault.reason
}

/**
 * Lets every variant that is reached over the network make one call before the others. When none of them is answered and there is
 * nothing else to ask, each is on record as failed, and nothing more is sent.
 */
async function beginWithOneCallEach(
  run: RunStage,
  { finished, task, shared, nextSegment }: LaneTask,
): Promise<boolean> {
  const { evaluation, store, record, control } = run
  const { wanted, observer } = task
  const phases = [...task.plan.lanes.values()].flat()
  const remote = evaluation.variants.filter(
    ({ provider }) => !provider.exclusive && provider.lane === undefined && !provider.traits?.isRecord,
  )
  const callers: FirstCaller[] = []
  for (const variant of remote) {
    const own = phases.filter((phase) => phase.variant === variant.name)
    const calls = () => own.flatMap((phase) => [...take(unfinished(phase, finished, wanted), maxFirst)])
    if (control.begun.has(variant.name) || calls().length === 0) continue
    control.begun.add(variant.name)
    const session = await openSession(run, variant, observer)
    if (session) callers.push({ variant, session, calls: calls() })
  }
  const failures = await firstCalls(run, callers, async ({ variant, session }, call) => {
    const { ended } = await startPhase(run, {
      variant,
      session,
      calls: [call],
      segment: nextSegment(),
      observer,
      ...shared,
    })
    await ended
    if (store.generation(record.id, call)) finished.add(call)
  })
  if (failures === null && callers.length > 0 && task.afterFirstCalls && !(await task.afterFirstCalls())) return false
  if (failures === null || remote.length < evaluation.variants.length) return true
  for (const [name, failure] of failures) {
    const before = store.variantState(record.id, name)
    store.saveVariantState(record.id, name, { resources: null, notes: [], ...before, failure })
    observer.variantFailed(name, failure)
  }
  return false
}

/** Calls of one phase that may be first ones. */
const maxFirst = 3

function* take<Item>(items: Iterable<Item>, max: number): Generator<Item> {
  let left = max
  for (const item of items) {
    if (left-- <= 0) return
    yield item
  }
}

/** What the lanes of one stage share. */
interface LaneTask {
  /** Calls that are not to be made. */
  readonly finished: CallSet
  readonly shared: Pick<PhaseTask, "isAskedAgain" | "attempted" | "commit" | "isTrial">
  readonly task: GenerateTask
  readonly watches: ServerWatches
  /** Called as the segment's clock begins. */
  nextSegment(): number
}

/**
 * Runs the phases of a lane in their order. On this machine a phase ends before the next begins, so that no variant is slowed
 * down by another; elsewhere the next begins as soon as the last request of a phase is sent.
 */
async function runLane(
  run: RunStage,
  phases: readonly Phase[],
  { finished, task, shared, watches, nextSegment }: LaneTask,
): Promise<void> {
  const { evaluation, control } = run
  const { wanted, observer } = task
  const byName = new Map(evaluation.variants.map((variant) => [variant.name, variant]))
  const failed = new Set<string>()
  const used = new Map<string, ProviderSession>()
  const ending: Promise<void>[] = []
  const states = createStateKeeper(run, watches)
  try {
    for (const [index, phase] of phases.entries()) {
      if (control.signal.aborted) break
      const variant = byName.get(phase.variant)!
      if (failed.has(variant.name) || unfinished(phase, finished, wanted).next().done) continue
      if (variant.provider.exclusive) await closeOthers(run, variant)
      const session = await openSession(run, variant, observer)
      if (!session) {
        failed.add(variant.name)
        continue
      }
      used.set(variant.name, session)
      const calls = unfinished(phase, finished, wanted)
      const watch = await watches.begin(variant.name, session, task.observer)
      try {
        const segment = nextSegment()
        const sent = await startPhase(run, { variant, session, calls, segment, ...shared, observer: watch.observer })
        sent.ended.catch(() => {})
        ending.push(sent.ended)
        if (watch.isRead || variant.provider.lane !== undefined || variant.provider.exclusive) await sent.ended
      } finally {
        await watch.end()
      }
      await states.keep(variant, session)
      const next = byName.get(phases[index + 1]?.variant ?? "")?.provider
      if (!variant.provider.exclusive || next === variant.provider) continue
      await states.keep(variant, session, true)
      used.delete(variant.name)
      await control.sessions.close(variant.provider)
    }
  } finally {
    await Promise.allSettled(ending)
    for (const [name, session] of used) await states.keep(byName.get(name)!, session, true)
  }
  await Promise.all(ending)
}

/** A server that runs alone has the machine for itself: what else was started here ends first. */
async function closeOthers({ evaluation, control }: RunStage, { provider }: Variant): Promise<void> {
  const others = evaluation.variants.filter((other) => other.provider !== provider && laneOf(other) === machineLane)
  for (const other of others) await control.sessions.close(other.provider)
}

function* unfinished(phase: Phase, finished: CallSet, filter: CallFilter = () => true) {
  for (const call of phase.calls()) if (filter(call) && !finished.has(call)) yield call
}

/** Opens the variant's session; a failure is recorded and reported, not thrown. */
async function openSession(
  { store, record, control }: RunStage,
  variant: Variant,
  observer: GenerateObserver,
): Promise<ProviderSession | null> {
  try {
    return await control.sessions.get(variant.provider)
  } catch (error) {
    if (control.signal.aborted) return null
    const failure = messageOf(error)
    store.saveVariantState(record.id, variant.name, { resources: null, notes: [], failure })
    observer.variantFailed(variant.name, failure)
    return null
  }
}

/** Writes down what became of a variant: at its end, and now and then before, so that a kill loses little of it. */
function createStateKeeper(run: RunStage, watches: ServerWatches) {
  const lastMs = new Map<string, number>()
  return {
    async keep(variant: Variant, session: ProviderSession, atTheEnd = false): Promise<void> {
      const now = run.control.clock.now()
      const last = lastMs.get(variant.name)
      if (!atTheEnd && last !== undefined && now - last < keepEveryMs) return
      lastMs.set(variant.name, now)
      await recordState(run, variant, session, watches.totals(variant.name))
    },
  }
}

const keepEveryMs = 5_000

/** Writes down what is known of a variant's session: what it used, what it was refused. */
export async function recordState(
  { store, record, control }: RunStage,
  variant: Variant,
  session: ProviderSession,
  watched: ServerTotals | null = null,
): Promise<void> {
  const before = store.variantState(record.id, variant.name)
  const resources = await session.resources()
  const contextTokens = await contextTokensOf(session, resources, before)
  const served = session.servedIdentity?.() ?? null
  const server = watched ?? before?.server
  const givenUp = givenUpBecause(control, variant)
  const state: VariantState = {
    ...(served === null ? {} : { served }),
    ...(server && { server }),
    resources: addResources(resourcesBefore(session, `${record.id} ${variant.name}`, before?.resources ?? null), {
      ...resources,
      contextTokens,
    }),
    notes: [
      ...new Set([
        ...(before?.notes ?? []),
        ...session.notes(parametersOf(variant, 0)),
        ...changeOf(before?.served, served),
      ]),
    ],
    failure: control.variantGuards(variant).refusals.failure(),
    ...(givenUp !== null && { givenUp }),
  }
  store.saveVariantState(record.id, variant.name, state)
}

/** A resumed run may have met another model than it began with. */
function changeOf(before: JsonObject | undefined, now: JsonObject | null): readonly string[] {
  if (before === undefined || now === null || canonicalJson(before) === canonicalJson(now)) return []
  return [callWords.serverChanged(bound(canonicalJson(before)), bound(canonicalJson(now)))]
}

const bound = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text)

/** What the model holds at once, as its endpoint states it: asked for once a run, after an interruption too. */
async function contextTokensOf(
  session: ProviderSession,
  now: ResourceUsage,
  before: VariantState | null,
): Promise<number | null> {
  const size = now.contextTokens ?? before?.resources?.contextTokens
  if (size !== undefined) return size
  return (await session.contextWindow?.(new AbortController().signal)) ?? null
}

/**
 * What the earlier sessions of a variant had used when this one opened. A session counts from its own beginning, each time that it
 * is read: its reading replaces its earlier one and is added to theirs.
 */
const usedBefore = new WeakMap<ProviderSession, Map<string, ResourceUsage | null>>()

function resourcesBefore(
  session: ProviderSession,
  variant: string,
  stored: ResourceUsage | null,
): ResourceUsage | null {
  const existing = usedBefore.get(session) ?? new Map<string, ResourceUsage | null>()
  usedBefore.set(session, existing)
  if (!existing.has(variant)) existing.set(variant, stored)
  return existing.get(variant) ?? null
}
