import type { RunStore } from "../../core/run/run-store.ts"
import { addRequests, type ModelRequests } from "../../score/metric-tools-offline.ts"
import { counted } from "../../words/number.ts"
import { usd } from "../../words/quantity.ts"

/** What the metrics asked their models, in a few words. */
export function askedWords({ requests, costUsd }: ModelRequests): string {
  if (requests === 0) return "no model of a metric was asked"
  const cost = costUsd === null ? "at an unknown cost" : `for ${usd(costUsd)}`
  return `models of metrics were asked ${counted(requests, "time")}, ${cost}`
}

/** How many calls of the metrics of a stored run are on record. */
export function countModelCalls(store: Pick<RunStore, "modelCalls">, runId: string): number {
  let count = 0
  for (const _ of store.modelCalls(runId)) count++
  return count
}

/** What the metrics of a stored run asked since so many calls were on record. */
export function requestsSince(store: Pick<RunStore, "modelCalls">, runId: string, calls: number): ModelRequests {
  let sum: ModelRequests = { requests: 0, costUsd: 0 }
  let number = 0
  for (const call of store.modelCalls(runId)) if (number++ >= calls) sum = addRequests(sum, call)
  return sum
}
