import { availableParallelism } from "node:os"
import { ownModule } from "../../platform/own-module.ts"
import type { ScoringThreads } from "../../score/threads/scoring-threads.ts"

/** More threads wait for the one that reads and writes the store, which needs a processor of its own. */
const maxUseful = 6

/**
 * Threads that measure the texts of a stored run.
 *
 * @param threads how many; null: as many as the work is worth
 */
export function scoringThreads(threads: number | null = null): ScoringThreads {
  const module = ownModule(import.meta.url, "./part-worker")
  return { most: Math.min(availableParallelism() - 1, maxUseful), wanted: threads, module }
}
