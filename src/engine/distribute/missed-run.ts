import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"

/**
 * Watches for runs over many workers that end while this worker waits and gets nothing of them: another one was faster,
 * or there were fewer slices than workers.
 *
 * @returns looks anew: the id of a run of this config that has ended since the first or the last look; null without one
 */
export function createMissedRuns(
  store: Pick<RunStore, "runStates" | "run" | "quota">,
  { name }: Pick<Evaluation, "name">,
) {
  const over = new Set<string>()
  const newlyOver = (): string[] =>
    store.runStates().flatMap(({ id, status }) => {
      const isNew = status !== "running" && !over.has(id)
      // An ended run may be gone on with.
      if (status === "running") over.delete(id)
      else over.add(id)
      return isNew ? [id] : []
    })
  newlyOver()
  const wasOver = (id: string): boolean => store.run(id)?.name === name && store.quota(id, "open")?.most === 0
  return (): string | null => newlyOver().find(wasOver) ?? null
}
