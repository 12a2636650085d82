import { requestFor } from "../../calls/model-request.ts"
import type { Sample } from "../../core/sample.ts"
import { isEpisode } from "../episode/is-episode.ts"
import { makeEpisode } from "../episode/make-episode.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"
import { type AskingPhase, askWithin, ownUseOf } from "./ask-within.ts"
import { type SavingPhase, saveAnswer } from "./save-answer.ts"

/** One phase: a variant, an open session, and the calls that are still to be made. */
export interface PhaseTask extends AskingPhase, SavingPhase {
  readonly calls: Iterable<PlannedCall>
  /** Calls that failed in an earlier process and are asked again: their answers take the failures' place. */
  isAskedAgain(call: PlannedCall): boolean
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
  try {
    for (const [call, sample] of withSamples(run, phase.calls)) {
      await limit.ready()
      if (mayNotStart(run, phase) || phase.isLost?.() || faults.length > 0) break
      const running: Promise<void> = limit
        .run(() => control.withSlot(() => makeCall(run, phase, call, sample, originMs)))
        .catch((error: unknown) => void faults.push(error))
        .finally(() => inFlight.delete(running))
      inFlight.add(running)
      // Until an application's first call has shown what one uses, no other is sent.
      if (ownUseOf(run, phase.variant)?.isKnown() === false) await running
    }
  } catch (error) {
    // What is in flight ends first, and is saved.
    faults.push(error)
  }
  const ended = Promise.all(inFlight).then(() => {
    if (faults.length > 0) throw faults[0]
  })
  return { ended }
}

function mayNotStart({ control }: RunStage, { variant }: PhaseTask): boolean {
  const { signal, budget } = control
  const user = variant.episode?.user
  // Without its user an episode comes to no end: nothing is begun that nobody can go on with.
  const spent = budget.exceeded()
  if (spent !== null) control.unaffordable.set(variant.name, spent)
  const asked = [control.variantGuards(variant), ...(user ? [control.metricGuards(user.provider)] : [])]
  return (
    signal.aborted ||
    spent !== null ||
    asked.some(({ breaker, refusals }) => breaker.state === "given_up" || refusals.reason() !== null)
  )
}

/** Samples that are read from the store together. */
const readTogether = 32

/** Calls with their samples, which are read some calls ahead. */
function* withSamples({ store, record }: RunStage, calls: Iterable<PlannedCall>): Generator<[PlannedCall, Sample]> {
  const read = function* (block: readonly PlannedCall[]): Generator<[PlannedCall, Sample]> {
    const ids = block.map(({ sampleId }) => sampleId)
    const samples = new Map(store.samplesOf(record.dataset.fingerprint, ids).map((sample) => [sample.id, sample]))
    for (const call of block) {
      const sample = samples.get(call.sampleId)
      if (!sample) throw new Error(`sample ${call.sampleId} is not in the store`)
      yield [call, sample]
    }
  }
  let block: PlannedCall[] = []
  for (const call of calls) {
    block.push(call)
    if (block.length < readTogether) continue
    yield* read(block)
    block = []
  }
  yield* read(block)
}

async function makeCall(
  run: RunStage,
  phase: PhaseTask,
  call: PlannedCall,
  sample: Sample,
  originMs: number,
): Promise<void> {
  if (mayNotStart(run, phase) || phase.isLost?.()) return
  const { control } = run
  const { variant, observer } = phase
  const earlier = phase.isAskedAgain(call) ? run.store.generation(run.record.id, call) : null
  if (isEpisode(variant, sample)) return makeEpisode(run, phase, { call, sample, earlier, originMs })
  const request = requestFor(variant, sample, call.repeat)
  const cached = control.cache.find(variant, request, call.repeat)
  observer.callStarted(variant.name)
  if (cached) {
    await saveAnswer(run, phase, { call, earlier, source: "replayed" }, { answer: cached, retries: [] })
    return
  }
  const asked = await askWithin(run, phase, { call, sample, request, originMs })
  if (!asked) return observer.callDropped(variant.name)
  const { answer, retries } = asked
  const source = variant.provider.traits?.isRecord ? "recorded" : "measured"
  const isCold = asked.isCold && source === "measured"
  const isTrial = phase.isTrial?.(call) ?? false
  const saved = await saveAnswer(run, phase, { call, earlier, source, isCold, isTrial }, { answer, retries })
  asked.settle(saved)
  const { refused: _refused, ...kept } = answer
  control.cache.keep(variant, request, call.repeat, kept)
}
