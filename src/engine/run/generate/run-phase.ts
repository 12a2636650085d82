import type { Attempt } from "../../../core/generation.ts"
import { withData } from "../../../core/media/message-parts.ts"
import type { ProviderSession } from "../../../core/provider.ts"
import { createRandom } from "../../../core/random.ts"
import { callId } from "../../../core/run/call-id.ts"
import type { Usage } from "../../../core/usage.ts"
import type { Variant } from "../../../core/variant.ts"
import type { Reservation } from "../../../cost/budget.ts"
import { costOfGeneration } from "../../../cost/cost-of-usage.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"
import { callModel } from "./call-model.ts"
import { startCall } from "./cold-start.ts"
import type { GroupCommit } from "./group-commit.ts"
import { estimateUse, requestFor } from "./model-request.ts"
import type { GenerateObserver } from "./observer.ts"
import { createOwnUse, type OwnUse } from "./own-use.ts"
import { saveAnswer } from "./save-answer.ts"

/** One phase: a variant, an open session, and the calls that are still to be made. */
export interface PhaseTask {
  readonly variant: Variant
  readonly session: ProviderSession
  readonly calls: Iterable<PlannedCall>
  readonly segment: number
  readonly observer: GenerateObserver
  /** Calls that failed in an earlier process and are asked again: their answers take the failures' place. */
  isAskedAgain(call: PlannedCall): boolean
  /** Calls of which attempts are on record that were paid for, but no answer; by their ids. */
  readonly attempted: Set<string>
  readonly commit: GroupCommit
  /** Calls that only try the endpoint: their latency counts in no figure. */
  isTrial?(call: PlannedCall): boolean
}

/**
 * Sends the calls of one phase, each saved before it counts. Stops early when interrupted, when the budget is used up or when
 * the endpoint was given up; what is in flight is finished.
 *
 * @returns when the last call was sent; `ended` resolves when the last answer is saved
 */
export async function startPhase(run: RunStage, phase: PhaseTask): Promise<{ readonly ended: Promise<void> }> {
  const { control } = run
  const { limit } = control.variantGuards(phase.variant)
  const originMs = control.clock.now()
  const inFlight = new Set<Promise<void>>()
  const faults: unknown[] = []
  for (const call of phase.calls) {
    await limit.ready()
    if (mayNotStart(run, phase) || faults.length > 0) break
    const running: Promise<void> = limit
      .run(() => control.withSlot(() => makeCall(run, phase, call, originMs)))
      .catch((error: unknown) => void faults.push(error))
      .finally(() => inFlight.delete(running))
    inFlight.add(running)
    // Until an application's first call has shown what one uses, no other is sent.
    if (ownUseOf(run, phase.variant)?.isKnown() === false) await running
  }
  const ended = Promise.all(inFlight).then(() => {
    if (faults.length > 0) throw faults[0]
  })
  return { ended }
}

function mayNotStart({ control }: RunStage, { variant }: PhaseTask): boolean {
  const { signal, budget } = control
  const { breaker, refusals } = control.variantGuards(variant)
  return signal.aborted || budget.exceeded() !== null || breaker.state === "given_up" || refusals.reason() !== null
}

async function makeCall(run: RunStage, phase: PhaseTask, call: PlannedCall, originMs: number): Promise<void> {
  if (mayNotStart(run, phase)) return
  const { control, evaluation } = run
  const { variant, observer } = phase
  const sample = run.store.sample(run.record.dataset.fingerprint, call.sampleId)
  if (!sample) throw new Error(`sample ${call.sampleId} is not in the store`)
  const request = requestFor(variant, sample, call.repeat)
  const earlier = phase.isAskedAgain(call) ? run.store.generation(run.record.id, call) : null
  const cached = control.cache.find(variant, request, call.repeat)
  if (cached) {
    observer.callStarted(variant.name)
    await saveAnswer(run, phase, { call, earlier, source: "replayed" }, { answer: cached, retries: [] })
    return
  }
  const own = ownUseOf(run, variant)
  const rendered = estimateUse(request, variant.price, variant.provider)
  const estimate = own?.expected(rendered) ?? rendered
  const reservation = control.budget.reserve(estimate)
  if (!reservation) return
  const before = phase.attempted.has(callId(call))
    ? Array.from(run.store.attempts(run.record.id, call), ({ attempt }) => attempt)
    : []
  const attempts: Reservation[] = []
  const failed: Attempt[] = []
  observer.callStarted(variant.name)
  const started = startCall(phase.session)
  const result = await callModel({
    session: phase.session,
    request: { ...request, messages: withData(request.messages, (sha256) => run.store.media(sha256)) },
    guards: control.variantGuards(variant),
    retry: evaluation.retry,
    timeouts: evaluation.timeouts,
    clock: control.clock,
    random: createRandom(`${evaluation.seed}/retry/${call.position}`),
    signal: control.signal,
    requestSignal: control.requestSignal,
    originMs,
    sample,
    repeat: call.repeat,
    estimatedTokens: estimate.tokens,
    onRetry(attempt, delayMs) {
      failed.push(attempt)
      run.store.saveAttempt(run.record.id, call, attempt)
      phase.attempted.add(callId(call))
      observer.retried(variant.name, attempt, delayMs)
    },
    mayRetry() {
      const another = control.budget.reserve(estimate)
      if (another) attempts.push(another)
      return another !== null
    },
  })
  // The one that was to follow was never sent.
  if (!result) attempts.pop()?.release()
  // What the attempts used is in the call's cost; each of them is a request.
  for (const _refused of result?.answer.refused ?? []) control.budget.charge({ usd: 0, tokens: 0 })
  for (const attempt of attempts) attempt.settle({ cost: { status: "known", usd: 0, parts: {} }, tokens: 0 })
  if (!result) {
    settleUnanswered(reservation, failed, variant)
    observer.callDropped(variant.name)
    return
  }
  const source = variant.provider.traits?.isRecord ? "recorded" : "measured"
  const isCold = started.answered(result.answer) && source === "measured"
  const kept = { ...result, retries: [...before, ...result.retries] }
  const isTrial = phase.isTrial?.(call) ?? false
  const saved = await saveAnswer(run, phase, { call, earlier, source, isCold, isTrial }, kept)
  own?.saw(saved)
  reservation.settle({ cost: saved.cost, tokens: totalTokens(saved.usage) })
  const { refused: _refused, ...answer } = result.answer
  control.cache.keep(variant, request, call.repeat, answer)
}

/** What an application's calls use; null where the rendered prompt is what is sent. Known from the answers of earlier processes, too. */
function ownUseOf({ control, store, record }: RunStage, { name, provider }: Variant): OwnUse | null {
  if (!provider.traits?.sendsItsOwn) return null
  const known = control.ownUses.get(name) ?? createOwnUse(store.generations(record.id, name))
  control.ownUses.set(name, known)
  return known
}

/** A call that brought no answer used what its attempts used; without one nothing was sent, or nothing came back. */
function settleUnanswered(reservation: Reservation, failed: readonly Attempt[], { price }: Variant): void {
  const last = failed.at(-1)
  if (!last) reservation.release()
  else
    reservation.settle({
      cost: costOfGeneration({ ...last, retries: failed.slice(0, -1) }, price),
      tokens: totalTokens(last.usage),
    })
}

function totalTokens({ promptTokens, completionTokens }: Usage): number | null {
  return promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens
}
