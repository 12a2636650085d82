import { createModelCaller } from "../../calls/model-caller.ts"
import { spendNow } from "../../calls/spend-within.ts"
import type { SummaryStep } from "../../core/episode/step.ts"
import type { Failure } from "../../core/generation.ts"
import type { ModelCaller } from "../../core/metric/metric-tools.ts"
import { isAnswered } from "../../core/outcome.ts"
import type { ModelRequest, Provider } from "../../core/provider.ts"
import type { RunStage } from "../run-stage.ts"

/** A question to a model that is not the variant's: who is asked what, and for what. */
export interface NonVariantQuestion<Reply> {
  readonly provider: Provider
  readonly request: ModelRequest
  readonly purpose: string
  /** What the words of an answer mean. */
  read(text: string): Reply
  /** What is wrong with a reply that says nothing; null where it says something. */
  silence(reply: Reply): Failure | null
}

/** How such a call ended, as its step keeps it. */
type NonVariantCall = Pick<
  SummaryStep,
  "outcome" | "usage" | "costUsd" | "seconds" | "failure" | "servedModel" | "isReplayed"
>

/**
 * Asks on behalf of an episode. The call is on record with its cost before its words count; an equal one, of another variant or of an
 * earlier process, is not made again, unless nothing was said.
 *
 * @returns null when it could not be asked for now (budget, outage, interruption)
 */
export async function askNonVariant<Reply>(
  run: RunStage,
  variant: string,
  { provider, request, purpose, read, silence: silenceOf }: NonVariantQuestion<Reply>,
): Promise<{ readonly reply: Reply; readonly call: NonVariantCall } | null> {
  const caller = nonVariantCaller(run, variant)
  const answer = await caller.call(provider, request, purpose)
  if (answer.outcome === "cancelled") return null
  const reply = read(answer.text)
  const silence = isAnswered(answer.outcome) ? silenceOf(reply) : null
  // Of no use, so that the next attempt asks again.
  if (silence) caller.forget?.(provider, request, purpose)
  const { log, usage, servedModel, replayed, costUsd } = answer
  return {
    reply,
    call: {
      outcome: silence ? "empty" : answer.outcome,
      usage,
      costUsd,
      seconds: Math.max(0, log.endMs - log.sendMs) / 1000,
      failure: silence ?? answer.failure,
      servedModel,
      ...(replayed && { isReplayed: true as const }),
    },
  }
}

/** Calls within an episode that are not the variant's: each is on record with its cost before its answer counts, and equal ones are one. */
function nonVariantCaller({ evaluation, store, record, control, asking }: RunStage, variant: string): ModelCaller {
  return createModelCaller({
    evaluation,
    store,
    save: (call, answer) => store.saveModelCall(record.id, call, answer),
    variant,
    control,
    // An episode that cannot go on now stays on record, and gives its place to others.
    spender: spendNow(control.budget, control.signal),
    inFlight: control.asking,
    ...asking,
  })
}
