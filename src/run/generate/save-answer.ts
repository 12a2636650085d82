import { boundLogprobs } from "../../calls/bound-logprobs.ts"
import type { CallResult } from "../../calls/call-model.ts"
import type { GroupCommit } from "../../calls/group-commit.ts"
import type { GenerateObserver } from "../../calls/observer.ts"
import { type Answer, attemptOf, type Generation } from "../../core/generation.ts"
import { callId } from "../../core/run/call-id.ts"
import type { Variant } from "../../core/variant.ts"
import { costOfGeneration } from "../../cost/cost-of-usage.ts"
import { repriced } from "../../cost/price-answer.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"

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
  stage: Pick<RunStage, "store" | "record" | "worker">,
  phase: SavingPhase,
  { call, earlier, source, isCold, isTrial, batch }: SavedCall,
  { answer, retries }: CallResult,
): Promise<Generation> {
  const attempts = earlier ? [...earlier.retries, attemptOf(earlier), ...retries] : retries
  const { usage, outcome, log, refused } = answer
  const spent = { usage, outcome, log, retries: attempts, ...(refused && { refused }) }
  const generation = generationOf(
    answer,
    {
      variant: call.variant,
      sampleId: call.sampleId,
      repeat: call.repeat,
      source,
      // Recorded stamps have one origin, whichever process read them.
      segment: source === "recorded" ? 0 : phase.segment,
      position: call.position,
      retries: attempts,
      cost: costOfGeneration(spent, phase.variant.price),
    },
    {
      ...(isCold && { isCold }),
      ...(isTrial && { isTrial }),
      ...(batch !== undefined && { batch }),
      ...(stage.worker && { worker: stage.worker.name }),
    },
  )
  await commitGeneration(stage, phase, { call, earlier }, generation)
  return generation
}

/** Writes an answer to the store, in the place of an earlier failure where there was one, and tells the observer. */
export async function commitGeneration(
  { store, record, worker }: Pick<RunStage, "store" | "record" | "worker">,
  phase: SavingPhase,
  { call, earlier }: Pick<SavedCall, "call" | "earlier">,
  generation: Generation,
): Promise<void> {
  await phase.commit.save(() => {
    if (worker) worker.saved(store.addGeneration(record.id, generation, (answer) => repriced(answer, phase.variant)))
    else if (earlier) store.replaceGeneration(record.id, generation)
    else store.saveGeneration(record.id, generation)
  }, callId(call))
  phase.observer.callSaved(generation)
}

/** Fields of an answer that are another's once it is saved, or nobody's. */
const passing: ReadonlySet<string> = new Set(["retryAfterMs", "lost", "limits"] satisfies (keyof Answer)[])

/** Where an answer stands in its run, and what it cost. */
type Place = Pick<
  Generation,
  "variant" | "sampleId" | "repeat" | "source" | "segment" | "position" | "retries" | "cost"
>

/**
 * An answer as it is kept; nothing that it says of its own place counts. Each field is named: spreading one object behind another takes
 * V8 20 µs, and what comes of it is read and written several times as slowly.
 *
 * @param rare what most answers do not have
 */
function generationOf(
  answer: Answer,
  { variant, sampleId, repeat, source, segment, position, retries, cost }: Place,
  rare: Partial<Generation>,
): Generation {
  const { logprobs, cutLogprobs } = boundLogprobs(answer.logprobs)
  const generation: Generation = {
    variant,
    sampleId,
    repeat,
    source,
    segment,
    position,
    retries,
    cost,
    outcome: answer.outcome,
    text: answer.text,
    reasoning: answer.reasoning,
    toolCalls: answer.toolCalls,
    logprobs,
    finishReason: answer.finishReason,
    usage: answer.usage,
    log: answer.log,
    httpStatus: answer.httpStatus,
    failure: answer.failure,
    servedModel: answer.servedModel,
    server: answer.server,
  }
  for (const [key, value] of Object.entries(answer))
    if (!Object.hasOwn(generation, key) && !passing.has(key)) Object.assign(generation, { [key]: value })
  return Object.assign(generation, cutLogprobs && { cutLogprobs }, rare)
}
