import type { Embedder } from "../../core/metric/embedder.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { ToolServers } from "../episode/tool-servers.ts"
import type { RunControl } from "./control.ts"
import type { ProgressTracker } from "./progress-tracker.ts"

/** What every stage of a run is handed: the run itself, where it is kept, what controls it, and who watches it. */
export interface RunStage {
  readonly evaluation: Evaluation
  readonly record: RunRecord
  readonly store: RunStore
  readonly control: RunControl
  readonly progress: ProgressTracker
  /** For metrics without one of their own; closed with the run. Without it such metrics are unscored. */
  readonly defaultEmbedder?: Embedder
  /** Where the tools of episodes come from that are not functions of the config. */
  readonly toolServers?: ToolServers
}
