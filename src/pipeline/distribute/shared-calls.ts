import { randomUUID } from "node:crypto"
import type { SharedCalls } from "../../calls/model-caller.ts"
import type { Spender } from "../../calls/spend-within.ts"
import { mayBeLost } from "./held-run.ts"
import type { ActiveSlice, RunWork } from "./run-work.ts"

/** Milliseconds between two looks at whether another worker has asked, or a call has given back what it did not use. */
const tryEveryMs = 50

/** What a worker is before its calls are prepared. */
type Worker = Omit<RunWork, "asking" | "scorer">

/**
 * How a worker asks the models that answers need beside the variant's own: judges, simulated users, those who sum up. A question has one
 * worker at a time that asks it, and its first answer is everybody's.
 */
export function createSharedCalls(work: Worker): (active: ActiveSlice) => SharedCalls {
  const { run, task } = work
  const { control, store, record } = run
  const inFlight: NonNullable<SharedCalls["inFlight"]> = new Map()
  const turn = async (key: string, signal: AbortSignal): Promise<() => void> => {
    while (!work.questionClaims.take(key)) await control.clock.sleep(tryEveryMs, signal)
    return () => work.questionClaims.release(key)
  }
  return (active) => ({
    inFlight,
    others: { privateOf: task.privateOf, turn, maySend: () => !mayBeLost(run, active) },
    spender: leasing(work, active),
    save(call, answer) {
      const id = randomUUID()
      return work.commit.save(() => store.saveModelCall(record.id, call, answer, id), call.key)
    },
  })
}

/** Calls that draw from the shared budget, which leases what is missing. */
function leasing({ run: { control }, sharedBudget, state }: Worker, active: ActiveSlice): Spender {
  const { clock, signal } = control
  const { budget } = active
  return async (estimate) => {
    for (;;) {
      if (signal.aborted || active.isLost || budget.exceeded() !== null) return null
      const reservation = budget.reserve(estimate)
      if (reservation || !sharedBudget) return reservation
      if (!sharedBudget.fill([estimate])) {
        state.isShort = true
        // What others could use must not lie here.
        sharedBudget.empty()
        return null
      }
      const leased = budget.reserve(estimate)
      if (leased) return leased
      // As much is in flight as may be lost with this worker.
      await clock.sleep(tryEveryMs, signal)
    }
  }
}
