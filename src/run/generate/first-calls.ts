import type { Generation } from "../../core/generation.ts"
import { isFailure } from "../../core/outcome.ts"
import type { ProviderSession } from "../../core/provider.ts"
import type { Variant } from "../../core/variant.ts"
import { callWords } from "../../words/run/calls.ts"
import type { PlannedCall } from "../plan.ts"
import type { RunStage } from "../run-stage.ts"

/** A variant that is reached over the network, and the calls that it is to make. */
export interface FirstCaller {
  readonly variant: Variant
  readonly session: ProviderSession
  readonly calls: Iterable<PlannedCall>
}

/** Statuses that say something of the key, the account or the model: another sample would get the same. */
const ofTheAccount: ReadonlySet<number> = new Set([401, 402, 403, 404])

/** Samples that are tried before an endpoint counts as one that answers none. */
const max = 3

/**
 * One call of each variant before any other is sent: what an endpoint refuses and how much it allows is known by then, and where no
 * variant is answered, nothing more is spent. The calls are samples of the plan: their answers are kept, and count as any other. A
 * variant whose first sample fails tries another two, for the sample may be at fault.
 * @param ask makes one call and saves its answer
 * @returns why nothing more is to be asked, by variant, when none was answered; else null
 */
export async function firstCalls(
  { store, record, control }: RunStage,
  callers: readonly FirstCaller[],
  ask: (caller: FirstCaller, call: PlannedCall) => Promise<void>,
): Promise<ReadonlyMap<string, string> | null> {
  const failures = new Map<string, string>()
  const askFirst = async (caller: FirstCaller): Promise<void> => {
    let tried = 0
    for (const call of caller.calls) {
      if (control.signal.aborted || control.budget.exceeded() !== null) return
      await ask(caller, call)
      const generation = store.generation(record.id, call)
      if (!generation || !isFailure(generation.outcome)) return
      tried++
      if (tried < max && !ofTheAccount.has(generation.httpStatus ?? 0)) continue
      failures.set(caller.variant.name, callWords.firstCalls(wordsOf(generation)))
      return
    }
  }
  await Promise.all(
    byEndpoint(callers).map(async (group) => {
      for (const caller of group) await askFirst(caller)
    }),
  )
  return callers.length > 0 && failures.size === callers.length ? failures : null
}

/** Variants of one endpoint ask one after the other: each learns from what the one before it was told. */
function byEndpoint(callers: readonly FirstCaller[]): readonly FirstCaller[][] {
  const groups = new Map<string, FirstCaller[]>()
  for (const caller of callers) {
    const { endpoint } = caller.variant.provider
    groups.set(endpoint, [...(groups.get(endpoint) ?? []), caller])
  }
  return [...groups.values()]
}

function wordsOf({ outcome, failure }: Generation): string {
  return failure === null ? outcome : `${failure.message} (${outcome})`
}
