import pLimit from "p-limit"
import { firstScores } from "../first-scores.ts"
import { scoreVariant } from "../score-stage.ts"
import { heldRun } from "./held-run.ts"
import type { ActiveSlice, RunWork } from "./run-work.ts"
import { openScoring } from "./scoring.ts"

/** Scores the answers of slices. */
export interface SliceScorer {
  /**
   * Measures what of the slice's answers has no row yet; returns once the rows are in the store.
   *
   * @param sampleIds those whose answers are measured. Default: all of the slice
   * @throws {Error} when not everything could be measured now: it comes again
   */
  score(active: ActiveSlice, sampleIds?: readonly string[]): Promise<void>
}

/** A scorer of one worker in one run; what metrics need is opened with the first slice. */
export function createSliceScorer(work: Omit<RunWork, "scorer">): SliceScorer {
  const { run, task, state } = work
  const { evaluation } = run
  let opened: ReturnType<typeof openScoring> | null = null
  let tried: Promise<string | null> | null = null
  // A service that tells what it was used for tells one listener: whose answers it was used for must be clear.
  const inTurn = pLimit(evaluation.metrics.some(({ meters = [] }) => meters.length > 0) ? 1 : Number.POSITIVE_INFINITY)
  const score: SliceScorer["score"] = async (active, sampleIds = task.slices.sampleIds(active.slice)) => {
    opened ??= openScoring(work)
    const { metrics } = await retry(opened, () => {
      opened = null
    })
    const part = { sampleIds, asking: work.asking(active), ends: active.ends }
    // Before a whole slice is judged by nobody, its first answers show whether anybody judges.
    const stage = heldRun(work, active)
    tried ??= firstScores({ ...stage, evaluation: { ...evaluation, metrics } }, part)
    state.stopReason ??= await retry(tried, () => {
      tried = null
    })
    if (state.stopReason !== null) throw new Error(state.stopReason)
    for (const { name: variant } of evaluation.variants) {
      if (active.isLost) return
      const isDone = await scoreVariant(stage, { ...part, variant, metrics, repair: false })
      if (!isDone && !active.isLost)
        throw new Error(state.isShort ? "the budget has no room for its scores now" : "its scores are not all there")
    }
  }
  return { score: async (...part) => (evaluation.metrics.length === 0 ? undefined : inTurn(() => score(...part))) }
}

/** What came of it; where it failed, the next slice tries anew. */
async function retry<Result>(begun: Promise<Result>, forget: () => void): Promise<Result> {
  try {
    return await begun
  } catch (error) {
    forget()
    throw error
  }
}
