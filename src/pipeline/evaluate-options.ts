import type { SummaryThreads } from "../analyse/summary/summary-threads.ts"
import type { Clock } from "../core/clock.ts"
import type { Embedder } from "../core/metric/embedder.ts"
import type { Outcome } from "../core/outcome.ts"
import type { OpenContext } from "../core/provider.ts"
import type { RunReport } from "../core/report/report.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunProgress } from "../core/run/progress.ts"
import type { RunRecord, RunStatus } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { Calibrate } from "../estimate/client-error.ts"
import type { CallFilter } from "../run/plan.ts"
import type { RunFacts } from "../run/run-record.ts"
import type { ScoringThreads } from "../score/threads/scoring-threads.ts"
import type { SliceDistribution } from "./distribute/coordinate.ts"
import type { RetryStart } from "./retry-run.ts"

/** What a run needs. Everything that reaches outside is passed in. @public */
export interface EvaluateOptions {
  readonly evaluation: Evaluation
  readonly store: RunStore
  readonly clock: Clock
  readonly environment: OpenContext["environment"]
  /** Folder for what is made once and kept (quantized models). */
  readonly cacheDirectory: string
  /** For metrics without one of their own; closed with the run. Without it such metrics are unscored. */
  readonly defaultEmbedder?: Embedder
  readonly facts: RunFacts
  /** Go on with a run: its id, or null for the newest one with this plan. Absent: start a new one. */
  readonly resume?: string | null
  /** Failure classes that a resumed run asks again. Default: all of them. */
  readonly retryFailed?: readonly Outcome[]
  /**
   * Ask more samples than an earlier run with `--limit` did, and keep its answers: its id, or null for the newest of this name.
   * All readings together then err in at most alpha.
   */
  readonly extend?: string | null
  /** Ask changed prompts where an earlier run lost, and keep its answers: see {@link RetryStart}. */
  readonly retry?: RetryStart
  /** With `resume` of a retry: ask its prompts about all samples, whatever became of the cause. */
  readonly isWhole?: boolean
  /** Make only these calls of the plan (a shard; the parts are joined by `evalkit merge`). */
  readonly wanted?: CallFilter
  /** Stop asking a candidate once its comparison with the baseline is settled; not together with `wanted`. */
  readonly untilDecided?: boolean
  /** With `resume`: ask the services to end the batches that are under way, and keep what came of them. */
  readonly cancelBatches?: boolean
  /** With `resume`: send a batch again of which the service cannot tell whether it was sent. */
  readonly resendBatches?: boolean
  /** Lets workers elsewhere make the calls. */
  readonly distribution?: SliceDistribution
  /** Threads that may score beside this one. Absent: none. */
  readonly scoringThreads?: ScoringThreads
  /** Threads that may read the variants' answers for the report beside this one. Absent: none. */
  readonly summaryThreads?: SummaryThreads
  /** Finishes what is in flight and stops. */
  readonly signal: AbortSignal
  /** Measures the client's own error at the run's load, after the answers are made. Absent: no difference of times is a gain. */
  readonly calibrate?: Calibrate
  /** Called when all answers are made, before they are scored: what was needed to ask may give its memory back. */
  whenAsked?(): Promise<void>
  /** Receives a function to look at the progress with, before anything starts. */
  onProgress?(look: () => RunProgress): void
  /** Receives what a reader should know before anything is asked: weights that are missing, a line each. */
  onWarning?(message: string): void
}

/** How a run ended. @public */
export interface EvaluateResult {
  readonly record: RunRecord
  readonly report: RunReport
  readonly status: RunStatus
  /** Why it is not finished; null when it is. */
  readonly reason: string | null
}
