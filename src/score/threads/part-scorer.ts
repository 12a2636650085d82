import { messageOf } from "../../core/errors.ts"
import type { JsonObject } from "../../core/json.ts"
import type { AnyMetric } from "../../core/metric/metric.ts"
import { textMeasureOf } from "../../core/metric/text-measure.ts"
import { scoreNotes } from "../../words/reasons/scores.ts"
import { type WorkerPool, workerPool } from "../worker-pool.ts"
import type { Part, ScoredPart } from "./score-part.ts"
import type { ScoringThreads } from "./scoring-threads.ts"

/** Seconds of work in this thread from which starting others pays: each takes about 0.2 s to be ready. */
const worthThreadsSeconds = 1
/** Parts that are scored here before others are thought of. The first are slower than the rest: the code is compiled while it runs. */
const trialParts = 6
const measuredParts = 3
/** Parts that each thread has at a time: one that it scores, and others that wait. */
const partsAThread = 4

/** Where the parts of a run are scored: here, and in other threads once what is left is worth them. This one scores what they have no room for. */
export interface PartScorer {
  /**
   * @param here scores it in this thread
   * @param left answers that are still to be scored, this part's among them
   */
  score(part: Part, here: () => Promise<ScoredPart>, left: number): Promise<ScoredPart>
  /** Parts that may be under way at a time. */
  atOnce(): number
  close(): Promise<void>
}

/** What a {@link PartScorer} is made of. */
export interface PartScorerOptions {
  /** Metrics that measure texts; see `textMeasureOf`. */
  readonly metrics: readonly AnyMetric[]
  /** Null: there are none besides this one. */
  readonly threads: ScoringThreads | null
  /** Told when a thread fails: the rest is scored here. */
  note(message: string): void
}

/** A {@link PartScorer} of a run, for all its variants; the caller closes it. */
export function createPartScorer({ metrics, threads, note }: PartScorerOptions): PartScorer {
  const workers = threads === null ? 0 : (threads.wanted ?? threads.most)
  let pool: WorkerPool<Part, ScoredPart> | null = null
  let tried = 0
  let secondsPerAnswer = Number.POSITIVE_INFINITY
  let failed = false
  /** Parts that other threads have. */
  let pending = 0
  const start = (left: number): WorkerPool<Part, ScoredPart> | null => {
    if (threads === null || workers === 0 || failed) return null
    const isWorthIt = tried >= trialParts && left * secondsPerAnswer > worthThreadsSeconds
    if (threads.wanted === null && !isWorthIt) return null
    return workerPool({ workers, module: threads.module, workerData: threadData(metrics) })
  }
  return {
    async score(part, here, left) {
      pool ??= start(left)
      if (pool === null) {
        const startedMs = performance.now()
        const scored = await here()
        const seconds = (performance.now() - startedMs) / 1000 / part.packed.calls.length
        if (++tried > trialParts - measuredParts) secondsPerAnswer = Math.min(secondsPerAnswer, seconds)
        return scored
      }
      // Who has nothing to read or to keep meanwhile scores as well.
      if (pending >= workers * partsAThread) return here()
      pending++
      try {
        return await pool.score(part)
      } catch (error) {
        const broken = pool
        pool = null
        if (!failed) note(scoreNotes.endedThread(messageOf(error)))
        failed = true
        await broken?.close()
        return here()
      } finally {
        pending--
      }
    },
    atOnce: () => (pool === null ? 1 : workers * partsAThread + 1),
    async close() {
      await pool?.close()
    },
  }
}

/** How a thread makes the metrics. @throws {Error} where one of them measures more than texts */
function threadData(metrics: readonly AnyMetric[]): JsonObject {
  return {
    metrics: metrics.map((metric) => {
      const recipe = textMeasureOf(metric)
      if (!recipe) throw new Error(`${metric.name} measures more than texts`)
      return { metric: recipe.metric, options: recipe.options, signature: metric.signature }
    }),
  }
}
