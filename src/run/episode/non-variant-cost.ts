import type { RunStore } from "../../core/run/run-store.ts"
import { summaryPurpose, userPurpose } from "./non-variant-purposes.ts"

/** What calls within episodes took that are not the variants': those of simulated users, or those for summaries. */
export interface NonVariantCost {
  /** Replies that were used, also those that an equal call had brought before. */
  readonly replies: number
  /** Requests that were sent for them, failed attempts among them. */
  readonly requests: number
  /** US dollars; null where a price is unknown. */
  readonly usd: number | null
}

/** What all processes of a run spent on simulated users, which no variant's cost holds; null where there were none. */
export function simulatedUserCost(store: Pick<RunStore, "modelCalls">, runId: string): NonVariantCost | null {
  return billOf(store, runId, userPurpose)
}

/** The same of summaries of conversations. */
export function summaryCost(store: Pick<RunStore, "modelCalls">, runId: string): NonVariantCost | null {
  return billOf(store, runId, summaryPurpose)
}

function billOf(store: Pick<RunStore, "modelCalls">, runId: string, purpose: string): NonVariantCost | null {
  const used = new Set<string>()
  let [replies, requests, usd]: [number, number, number | null] = [0, 0, 0]
  for (const call of store.modelCalls(runId)) {
    if (call.purpose !== purpose) continue
    // Taken from the store again by a resumed run, or asked by one variant and used by another: each variant's use counts once.
    const use = `${call.variant} ${call.key}`
    if (!used.has(use)) replies++
    used.add(use)
    requests += call.requests
    usd = usd === null || call.costUsd === null ? null : usd + call.costUsd
  }
  return replies === 0 ? null : { replies, requests, usd }
}
