import type { OpenSample, Said, SimulatedUser } from "../../core/episode/design.ts"
import type { UserStep } from "../../core/episode/step.ts"
import type { Failure } from "../../core/generation.ts"
import type { CallKey } from "../../core/run/run-store.ts"
import type { Variant } from "../../core/variant.ts"
import { episodeWords } from "../../words/run/episode.ts"
import type { RunStage } from "../run-stage.ts"
import { askNonVariant } from "./ask-non-variant.ts"
import { userPurpose } from "./non-variant-purposes.ts"

/** The next turn of a simulated user. */
export interface UserQuestion {
  readonly user: SimulatedUser
  readonly call: CallKey
  readonly sample: OpenSample
  readonly turn: number
  readonly said: readonly Said[]
}

/** What the simulated user says next, asked for as {@link askNonVariant} does. */
export async function askUser(
  run: RunStage,
  { name }: Pick<Variant, "name">,
  { user, call, sample, turn, said }: UserQuestion,
): Promise<UserStep | null> {
  const { evaluation } = run
  const draw = user.draws === null ? call.repeat : call.repeat % user.draws
  const request = user.request(sample, said, `${evaluation.seed}/user/${call.sampleId}/${draw}`)
  const asked = await askNonVariant(run, name, {
    provider: user.provider,
    request,
    purpose: userPurpose,
    read: (text) => user.read(text),
    silence: (reply) => silenceOf(reply, turn),
  })
  return asked && { kind: "user", turn, ...asked.reply, ...asked.call }
}

/** What is wrong with a reply in which nothing is said. */
function silenceOf(
  { text, isOver }: { readonly text: string; readonly isOver: boolean },
  turn: number,
): Failure | null {
  if (isOver && turn === 0) return { message: episodeWords.endedAtOnce }
  return text === "" && !isOver ? { message: episodeWords.noWords } : null
}
