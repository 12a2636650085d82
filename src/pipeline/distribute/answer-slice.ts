import { givenUpBecause } from "../../calls/given-up.ts"
import { estimateUse, requestFor } from "../../calls/model-request.ts"
import { messageOf } from "../../core/errors.ts"
import { callId } from "../../core/run/call-id.ts"
import { isStoreLost } from "../../core/run/run-store.ts"
import type { Variant } from "../../core/variant.ts"
import type { Estimate, Reservation } from "../../cost/budget.ts"
import { isEpisode } from "../../run/episode/is-episode.ts"
import { recordState } from "../../run/generate/generate.ts"
import { startPhase } from "../../run/generate/run-phase.ts"
import { answerUse, noUse } from "../../run/set-aside.ts"
import { heldRun, mayBeLost } from "./held-run.ts"
import { type ActiveSlice, activeSlice, type RunWork } from "./run-work.ts"
import { type SlicePart, samplesQuota } from "./slices.ts"
import { aliveSeconds } from "./timing.ts"

/** Milliseconds between two tries for a slice that another worker has. */
const tryEveryMs = 250

/**
 * Answers and scores what a slice lacks. Claimed in the store first: however often a queue delivers it, one worker at a time sends its requests.
 *
 * @throws {Error} when something of it is still not answered or scored, so that it comes again
 */
export async function answerSlice(work: RunWork, slice: number): Promise<void> {
  const { run } = work
  const { clock, signal } = run.control
  const untilMs = clock.now() + 2 * aliveSeconds * 1000
  // A queue may bring the same slice twice to one worker, too.
  const isUnderWay = () => [...work.active].some((entry) => entry.slice === slice)
  while (isUnderWay() || !work.sliceClaims.take(slice)) {
    // Who has it goes on with it; should it die, the coordinator brings the slice again.
    if (openParts(work, slice).length === 0 || clock.now() > untilMs || !work.isOpen()) return
    await clock.sleep(tryEveryMs, signal)
  }
  const active = activeSlice(work, slice)
  work.active.add(active)
  try {
    await answerParts(work, active).catch(async (error: unknown) => {
      if (work.state.isShort && !active.isLost) await scoreAnswered(work, active)
      throw error
    })
    // Its answers are in the store: who comes after a worker that dies now has only scores to make.
    if (!active.isLost) await work.scorer.score(active)
    active.endBudget()
  } finally {
    work.active.delete(active)
    if (active.isLost) active.endBudget()
    else work.sliceClaims.release(slice)
    if (work.active.size === 0) work.sharedBudget?.empty()
  }
}

/** Scores the samples that every variant has answered: what is kept for their judges lets others go on. */
async function scoreAnswered(work: RunWork, active: ActiveSlice): Promise<void> {
  const { slices } = work.task
  const open = openParts(work, active.slice).flatMap(({ calls }) => calls.map(({ sampleId }) => sampleId))
  const begun = new Set(open)
  await work.scorer.score(
    active,
    slices.sampleIds(active.slice).filter((id) => !begun.has(id)),
  )
  const each = slices.lanes(active.slice).flat()
  const calls = each.reduce((sum, part) => sum + part.calls.filter(({ sampleId }) => begun.has(sampleId)).length, 0)
  // No answer is left that is not judged.
  if (open.length === calls) active.endBudget()
}

/** Answers what has no answer yet. @throws {Error} when something of it is still not answered */
async function answerParts(work: RunWork, active: ActiveSlice): Promise<void> {
  const { task } = work
  const { slice } = active
  const parts = openParts(work, slice)
  if (parts.length === 0) return
  if (!(await hasRoom(work, parts))) throw new Error("the budget has no room for it now")
  const lanes = task.slices.lanes(slice).map((lane) => lane.map(({ variant }) => variant))
  await allEnded(
    lanes.map((names) =>
      runLane(
        work,
        active,
        names.flatMap((name) => parts.filter((part) => part.variant === name)),
      ),
    ),
  )
  if (!active.isLost && openParts(work, slice).length > 0)
    throw new Error(work.state.failure ?? "some of it has no answer yet")
}

/** The calls of a slice that have no answer yet. */
function openParts({ run, task }: RunWork, slice: number): readonly SlicePart[] {
  const ids = task.slices.sampleIds(slice)
  return task.slices.lanes(slice).flatMap((lane) =>
    lane.flatMap(({ variant, calls }) => {
      // A run that stops once it has decided asks no further than to the next look.
      const samples = run.store.quota(run.record.id, samplesQuota(variant))?.most ?? Number.POSITIVE_INFINITY
      const finished = new Set(run.store.finishedTo(run.record.id, variant, ids).map(callId))
      const open = calls.filter((call) => call.order < samples && !finished.has(callId(call)))
      return open.length === 0 ? [] : [{ variant, calls: open }]
    }),
  )
}

/** Leases what the calls may use, and judging their answers. */
async function hasRoom({ run, sharedBudget, state }: RunWork, parts: readonly SlicePart[]): Promise<boolean> {
  if (!sharedBudget) return true
  const ids = [...new Set(parts.flatMap(({ calls }) => calls.map(({ sampleId }) => sampleId)))]
  const samples = new Map(run.store.samplesOf(run.record.dataset.fingerprint, ids).map((sample) => [sample.id, sample]))
  const estimates: Estimate[] = []
  for (const { variant: name, calls } of parts) {
    const variant = variantOf(run.evaluation.variants, name)
    for (const { sampleId, repeat } of calls) {
      const sample = samples.get(sampleId)!
      // Each of its calls is leased when it comes.
      if (isEpisode(variant, sample)) continue
      const estimate = variant.provider.traits?.isRecord
        ? noUse
        : estimateUse(requestFor(variant, sample, repeat), variant.price, variant.provider)
      estimates.push((await answerUse(run, variant, sample, estimate)).together)
    }
  }
  if (estimates.length === 0) return true
  state.isShort = !sharedBudget.fill(estimates)
  // What others could use must not lie here.
  if (state.isShort) sharedBudget.empty()
  return !state.isShort
}

/** The variants of one lane, one after the other. */
async function runLane(work: RunWork, active: ActiveSlice, parts: readonly SlicePart[]): Promise<void> {
  const run = { ...heldRun(work, active), asking: work.asking(active) }
  const attempted = new Set<string>()
  for (const part of parts)
    for (const call of part.calls)
      if (!run.store.attempts(run.record.id, call)[Symbol.iterator]().next().done) attempted.add(callId(call))
  const ends: Promise<void>[] = []
  try {
    for (const { variant: name, calls } of parts) {
      if (active.isLost) break
      const variant = variantOf(run.evaluation.variants, name)
      const session = await run.control.sessions.get(variant.provider).catch((error: unknown) => {
        work.state.failure = `${name}: ${messageOf(error)}`
        throw error
      })
      const { ended } = await startPhase(run, {
        variant,
        session,
        calls,
        segment: work.nextSegment(),
        observer: work.observer,
        commit: work.commit,
        attempted,
        isAskedAgain: () => false,
        isLost: () => mayBeLost(run, active),
        reserve: leasing(work, active),
      })
      const end = ended.then(async () => {
        await recordState(run, variant, session)
        const reason = givenUpBecause(run.control, variant)
        if (reason !== null) work.state.failure = `${name}: ${reason}`
      })
      // It may fail while the next part begins.
      end.catch(() => {})
      ends.push(end)
    }
  } catch (error) {
    // The slice is given back when nothing of it is in flight.
    await Promise.allSettled(ends)
    throw error
  }
  await allEnded(ends)
}

/** Sets aside what a call may use, and leases it first where it is missing: how many calls an episode takes shows as it goes on. */
function leasing(
  { sharedBudget, state }: RunWork,
  { budget }: ActiveSlice,
): (estimate: Estimate) => Reservation | null {
  return (estimate) => {
    const own = budget.reserve(estimate)
    if (own || !sharedBudget) return own
    try {
      if (sharedBudget.fill([estimate])) return budget.reserve(estimate)
      state.isShort = true
    } catch (error) {
      if (!isStoreLost(error)) throw error
    }
    return null
  }
}

/** Waits for all of them; then throws what the first threw. */
async function allEnded(ends: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(ends)
  const fault = settled.find((end) => end.status === "rejected")
  if (fault) throw fault.reason
}

function variantOf(variants: readonly Variant[], name: string): Variant {
  return variants.find((variant) => variant.name === name)!
}
