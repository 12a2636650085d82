import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"

/**
 * Watches for runs over many workers that end while this worker waits and gets nothing of them: another one was faster,
 * or there were fewer slices than workers.
 *
 * @returns looks anew: the id of a run of this config that has ended since the first or the last look; null without one. Where the
 * store cannot be read the look may be repeated, and misses nothing.
 */
export function createMissedRuns(
  store: Pick<RunStore, "runStates" | "run" | "quota">,
  { name }: Pick<Evaluation, "name">,
): () => string | null {
  const isOver = ({ status }: { readonly status: string }) => status !== "running"
  const seen = new Set(
    store
      .runStates()
      .filter(isOver)
      .map(({ id }) => id),
  )
  return () => {
    for (const state of store.runStates()) {
      const { id } = state
      // An ended run may be gone on with.
      if (!isOver(state)) seen.delete(id)
      else if (!seen.has(id)) {
        const open = store.quota(id, "open")?.most
        const isMissed = open === 0 && store.run(id)?.name === name
        // Its workers are not told yet that it is over.
        if (open) continue
        seen.add(id)
        if (isMissed) return id
      }
    }
    return null
  }
}
