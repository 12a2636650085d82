import type { OpenSample, Said, SimulatedUser } from "../../core/episode/design.ts"
import type { UserStep } from "../../core/episode/step.ts"
import type { Failure } from "../../core/generation.ts"
import type { ModelCaller } from "../../core/metric/metric-tools.ts"
import { isAnswered, type Outcome } from "../../core/outcome.ts"
import type { CallKey } from "../../core/run/run-store.ts"
import type { Variant } from "../../core/variant.ts"
import type { RunStage } from "../run/run-stage.ts"
import { spendNow } from "../run/spend-within.ts"
import { createModelCaller } from "../score/model-caller.ts"
import { userPurpose } from "./user-purpose.ts"

/** The next turn of a simulated user. */
export interface UserQuestion {
  readonly user: SimulatedUser
  readonly call: CallKey
  readonly sample: OpenSample
  readonly turn: number
  readonly said: readonly Said[]
}

/**
 * What the simulated user says next. The call is on record with its cost before its words count; an equal one, of another variant or of an
 * earlier process, is not made again.
 *
 * @returns null when it could not be asked for now (budget, outage, interruption)
 */
export async function askUser(
  run: RunStage,
  { name }: Pick<Variant, "name">,
  { user, call, sample, turn, said }: UserQuestion,
): Promise<UserStep | null> {
  const { evaluation } = run
  const draw = user.draws === null ? call.repeat : call.repeat % user.draws
  const request = user.request(sample, said, `${evaluation.seed}/user/${call.sampleId}/${draw}`)
  const caller = callerOf(run, name)
  const answer = await caller.call(user.provider, request, userPurpose)
  if (answer.outcome === "cancelled") return null
  const { text, isOver } = user.read(answer.text)
  const silence = isAnswered(answer.outcome) ? silenceOf({ text, isOver }, turn) : null
  // Of no use, so that the next attempt asks again.
  if (silence) caller.forget?.(user.provider, request, userPurpose)
  const outcome: Outcome = silence ? "empty" : answer.outcome
  const { log, usage, servedModel, replayed, costUsd } = answer
  return {
    kind: "user",
    turn,
    outcome,
    text,
    isOver,
    usage,
    costUsd,
    seconds: Math.max(0, log.endMs - log.sendMs) / 1000,
    failure: silence ?? answer.failure,
    servedModel,
    ...(replayed && { isReplayed: true }),
  }
}

/** What is wrong with a reply in which nothing is said. */
function silenceOf(
  { text, isOver }: { readonly text: string; readonly isOver: boolean },
  turn: number,
): Failure | null {
  if (isOver && turn === 0) return { message: "it ended the conversation before it began" }
  return text === "" && !isOver ? { message: "its reply holds no words" } : null
}

function callerOf({ evaluation, store, record, control }: RunStage, variant: string): ModelCaller {
  return createModelCaller({
    evaluation,
    store,
    save: (call, answer) => store.saveModelCall(record.id, call, answer),
    variant,
    control,
    // An episode that cannot go on now stays on record, and gives its place to others.
    spender: spendNow(control.budget, control.signal),
    inFlight: control.asking,
  })
}
