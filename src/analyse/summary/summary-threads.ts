import type { JsonObject } from "../../core/json.ts"
import type { OwnModule } from "../../platform/own-module.ts"
import { type WorkerPool, workerPool } from "../../score/worker-pool.ts"
import type { SentMeasures } from "./sent-measures.ts"
import type { VariantTask } from "./variant-task.ts"

/** Answers of a variant from which another thread pays: it takes some tenths of a second to be ready. */
const worthAnswers = 20_000

/** Threads that may read a run's variants beside this one. @experimental */
export interface SummaryThreads {
  /** How many, at most: each holds what it gathers of its variant. */
  readonly most: number
  /** What each runs: it answers a {@link VariantTask} with {@link SentMeasures}; see `workerPool`. */
  readonly module: OwnModule
  /** How each finds the store. */
  readonly workerData: JsonObject
  /** Answers of a variant from which they are started. Default 20,000. */
  readonly fromAnswers?: number
}

/** Threads at work, and how many they are; the caller closes them. */
export interface StartedThreads extends WorkerPool<VariantTask, SentMeasures> {
  readonly count: number
}

/** Starts what threads the tasks are worth; null: none. */
export function startThreads(
  threads: SummaryThreads | undefined,
  tasks: readonly VariantTask[],
): StartedThreads | null {
  if (!threads) return null
  const { most, module, workerData, fromAnswers = worthAnswers } = threads
  const large = tasks.filter(({ planned }) => planned >= fromAnswers).length
  const count = Math.min(most, large - 1)
  return count < 1 ? null : { ...workerPool({ workers: count, module, workerData }), count }
}
