import { randomBytes } from "node:crypto"
import { UsageError } from "../../core/errors.ts"
import type { LabelQueue, LabelWish } from "../label/queue.ts"

/** Sessions that are kept at once: whoever comes back to an older one begins anew, without those that are labelled. */
const maxSessions = 100

/** One person's labelling: the queue stays as it was drawn, as it does in the terminal. */
export interface LabelSession {
  readonly id: string
  readonly runId: string
  readonly wish: LabelWish
  readonly queue: LabelQueue
  /** What was said in this session, by position. */
  readonly said: Map<number, number>
}

/** The sessions of a server, in its memory. Labels are in the store as soon as they are given. */
export interface LabelSessions {
  begin(runId: string, wish: LabelWish, queue: LabelQueue): LabelSession
  /** @throws {UsageError} when it is not known any more */
  find(runId: string, id: string | undefined): LabelSession
}

/** No session yet. */
export function createLabelSessions(): LabelSessions {
  const sessions = new Map<string, LabelSession>()
  return {
    begin(runId, wish, queue) {
      const session = { id: randomBytes(12).toString("base64url"), runId, wish, queue, said: new Map() }
      const oldest = sessions.keys().next()
      if (sessions.size >= maxSessions && !oldest.done) sessions.delete(oldest.value)
      sessions.set(session.id, session)
      return session
    },
    find(runId, id) {
      const session = id === undefined ? undefined : sessions.get(id)
      if (session?.runId === runId) return session
      throw new UsageError("the labelling session has ended; your labels are kept", {
        code: "session_over",
        where: `run ${runId}`,
        hint: "begin again from the list of runs: what you labelled is not asked twice",
      })
    },
  }
}
