import type { RunControl } from "../calls/control.ts"
import type { SharedCalls } from "../calls/model-caller.ts"
import type { Embedder } from "../core/metric/embedder.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RunRecord } from "../core/run/run-record.ts"
import type { RunStore } from "../core/run/run-store.ts"
import type { ScoringThreads } from "../score/threads/scoring-threads.ts"
import type { ToolServers } from "./episode/tool-servers.ts"
import type { ProgressTracker } from "./progress-tracker.ts"

/** One of the processes that answer a run together. */
export interface RunWorker {
  readonly name: string
  /** Told of each answer whether it was the first to its call; another is refused by the store. */
  saved(isFirst: boolean): void
}

/** What every stage of a run is handed: the run itself, where it is kept, what controls it, and who watches it. */
export interface RunStage {
  readonly evaluation: Evaluation
  readonly record: RunRecord
  readonly store: RunStore
  readonly control: RunControl
  readonly progress: ProgressTracker
  /** For metrics without one of their own; closed with the run. Without it such metrics are unscored. */
  readonly defaultEmbedder?: Embedder
  /** Threads that may measure texts beside this one. */
  readonly scoringThreads?: ScoringThreads
  /** Set where several processes answer the run: who this one is. */
  readonly worker?: RunWorker
  /** How the models are asked there that play users and sum up conversations; absent: by this process alone. */
  readonly asking?: SharedCalls
  /** Where the tools of episodes come from that are not functions of the config. */
  readonly toolServers?: ToolServers
}
