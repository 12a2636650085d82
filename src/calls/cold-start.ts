import type { Answer } from "../core/generation.ts"
import type { ProviderSession } from "../core/provider.ts"

/** A call that is about to be sent. */
export interface StartedCall {
  /** Whether the answer met a service that may have been cold. To be asked once, when the answer has come. */
  answered(answer: Pick<Answer, "log">): boolean
}

const states = new WeakMap<ProviderSession, { isAsked: boolean; isAnswered: boolean }>()

/**
 * Notes that a call is sent over a session. Cold are the session's first call, and those that had to open a connection before the
 * first answer came over it: models are loaded, caches and connections filled by them. A server that closes its connection after
 * every answer does so all along, and later calls that connect anew are as warm as the others.
 */
export function startCall(session: ProviderSession): StartedCall {
  const state = states.get(session) ?? { isAsked: false, isAnswered: false }
  states.set(session, state)
  const { isAsked, isAnswered } = state
  state.isAsked = true
  return {
    answered({ log }) {
      state.isAnswered = true
      return !isAsked || (!isAnswered && log.connectMs !== null)
    },
  }
}
