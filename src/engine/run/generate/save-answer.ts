import { type Answer, attemptOf, type Generation } from "../../../core/generation.ts"
import { callId } from "../../../core/run/call-id.ts"
import type { Variant } from "../../../core/variant.ts"
import { costOfGeneration } from "../../../cost/cost-of-usage.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"
import { boundLogprobs } from "./bound-logprobs.ts"
import type { CallResult } from "./call-model.ts"
import type { GroupCommit } from "./group-commit.ts"
import type { GenerateObserver } from "./observer.ts"

/** What the answers of one part of a run have in common. */
export interface SavingPhase {
  readonly variant: Variant
  readonly segment: number
  readonly observer: GenerateObserver
  readonly commit: GroupCommit
}

/** An answer's place in the run, and how it came. */
export interface SavedCall extends Pick<Generation, "source" | "isCold" | "isTrial" | "batch"> {
  readonly call: PlannedCall
  /** The failure whose place it takes; null where there was none. */
  readonly earlier: Generation | null
}

/** Puts an answer on disk with what it cost: from here on it counts. */
export async function saveAnswer(
  { store, record, worker }: Pick<RunStage, "store" | "record" | "worker">,
  phase: SavingPhase,
  { call, earlier, source, isCold, isTrial, batch }: SavedCall,
  { answer, retries }: CallResult,
): Promise<Generation> {
  const { retryAfterMs: _retryAfterMs, lost: _lost, limits: _limits, ...kept } = answer satisfies Answer
  const attempts = earlier ? [...earlier.retries, attemptOf(earlier), ...retries] : retries
  const own = {
    variant: call.variant,
    sampleId: call.sampleId,
    repeat: call.repeat,
    source,
    // Recorded stamps have one origin, whichever process read them.
    segment: source === "recorded" ? 0 : phase.segment,
    position: call.position,
    retries: attempts,
    cost: costOfGeneration({ ...kept, retries: attempts }, phase.variant.price),
  }
  // Spread, not added behind a spread, which takes V8 some 20 µs. Again at the end: no answer says whose it is.
  const generation: Generation = {
    ...own,
    ...kept,
    ...boundLogprobs(kept.logprobs),
    ...own,
    ...(isCold && { isCold }),
    ...(isTrial && { isTrial }),
    ...(batch !== undefined && { batch }),
    ...(worker && { worker: worker.name }),
  }
  await phase.commit.save(() => {
    if (worker) worker.saved(store.addGeneration(record.id, generation))
    else if (earlier) store.replaceGeneration(record.id, generation)
    else store.saveGeneration(record.id, generation)
  }, callId(call))
  phase.observer.callSaved(generation)
  return generation
}
