import { availableParallelism } from "node:os"
import type { SummaryThreads } from "../../analyse/summary/summary-threads.ts"
import { ownModule } from "../../platform/own-module.ts"

/** Each holds some hundred bytes of every answer of its variant. */
const maxUseful = 3

/**
 * Threads that read the answers of a run's variants for its report.
 *
 * @param directory the store's folder; null: it is no folder, and there are none
 * @param count how many are started, at most; null: as many as the work is worth
 */
export function summaryThreads(
  directory: string | null,
  count: number | null = null,
): { readonly summaryThreads?: SummaryThreads } {
  if (directory === null) return {}
  const module = ownModule(import.meta.url, "./summary-worker")
  const max = count ?? availableParallelism() - 1
  const threads = { most: Math.min(max, maxUseful), module, workerData: { directory } }
  return { summaryThreads: count === null ? threads : { ...threads, fromAnswers: 0 } }
}
