import type { RunStage } from "../../run/run-stage.ts"
import type { ActiveSlice, RunWork } from "./run-work.ts"

/** The run as a slice sees it: steps and ends of episodes and rows are written only by who has the slice, since another may go on with it. */
export function heldRun({ run, number }: Pick<RunWork, "run" | "number">, active: ActiveSlice): RunStage {
  const { store, record, control } = run
  const check = (): void => {
    if (store.hasClaim(record.id, active.slice, number)) return
    active.lose()
    throw active.ends.reason
  }
  return {
    ...run,
    control: { ...control, budget: active.budget },
    store: {
      ...store,
      saveStep(...step) {
        check()
        store.saveStep(...step)
      },
      addGeneration(runId, generation, priced) {
        // The end of an episode takes its steps along, and they may be another's by now.
        if (generation.episode) check()
        return store.addGeneration(runId, generation, priced)
      },
      saveRows(...rows) {
        check()
        store.saveRows(...rows)
      },
    },
  }
}

/** Whether another may have the slice by now: it was given away, or this worker could not say for long that it lives. */
export function mayBeLost({ control }: Pick<RunStage, "control">, active: ActiveSlice): boolean {
  return active.isLost || control.budget.exceeded() !== null
}
