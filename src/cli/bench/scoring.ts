import { systemClock } from "../../core/clock.ts"
import type { Evaluation } from "../../core/evaluation.ts"
import type { Sample } from "../../core/sample.ts"
import type { Variant } from "../../core/variant.ts"
import type { BudgetTracker } from "../../cost/budget.ts"
import { transformers } from "../../encoders/embedder/transformers.ts"
import type { BenchTarget } from "../../engine/bench/measure-level.ts"
import { qualityProbe } from "../../engine/bench/quality-probe.ts"
import { createOfflineTools } from "../../engine/score/metric-tools-offline.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import type { CommandIo } from "../command.ts"

/** The metrics of a config with what they need, shared by all variants of a bench. */
export interface Scoring {
  /** The parts of a target that score its answers. */
  of(
    variant: Variant,
    sampleOf: (index: number) => Sample,
  ): Required<Pick<BenchTarget, "metrics" | "score">> & Pick<BenchTarget, "primary">
  close(): Promise<void>
}

/** Judges and embedders open at their first use; judges spend from the same budget as the load. */
export function openScoring(evaluation: Evaluation, io: CommandIo, budget: BudgetTracker | null): Scoring {
  const { metrics, primary } = evaluation
  const cacheDirectory = userCacheDirectory(io.environment)
  const offline = createOfflineTools({
    evaluation,
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    ...(budget && { budget }),
    cacheDirectory,
    defaultEmbedder: transformers({ cacheDirectory }),
  })
  return {
    of: (variant, sampleOf) => ({
      metrics,
      primary: primary[0],
      score: qualityProbe(metrics, variant, sampleOf, offline.tools),
    }),
    async close() {
      await Promise.all(metrics.map((metric) => metric.close?.()))
      await offline.close()
    },
  }
}
