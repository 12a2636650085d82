import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { aliveSeconds } from "../../pipeline/distribute/timing.ts"

/** Workers that answer a run now, wherever they are, with its coordinator or without. */
export function workersOf(store: Pick<RunStore, "workers">, { id, status }: Pick<RunRecord, "id" | "status">): number {
  if (status === "finished") return 0
  return store.workers(id).filter(({ silentSeconds, data }) => silentSeconds < aliveSeconds && data.hasEnded !== true)
    .length
}

/** A run whose process has ended and whose batches have not is not lost, nor is it finished. */
export function statusOf({ status }: Pick<RunRecord, "status">, open: number, workers: number): string {
  if (workers > 0) return `running, ${workers === 1 ? "a worker" : `${workers} workers`}`
  if (open === 0 || status === "finished") return status
  return `${status === "running" ? "running, " : ""}waiting for ${open === 1 ? "a batch" : `${open} batches`}`
}
