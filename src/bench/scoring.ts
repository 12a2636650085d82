import type { Evaluation } from "../core/run/evaluation.ts"
import type { Sample } from "../core/sample.ts"
import type { Variant } from "../core/variant.ts"
import { createOfflineTools, type OfflineToolsOptions } from "../score/metric-tools-offline.ts"
import type { BenchTarget } from "./measure-level.ts"
import { qualityProbe } from "./quality-probe.ts"

/** The metrics of a config with what they need, shared by all variants of a bench. */
export interface Scoring {
  /** The parts of a target that score its answers. */
  of(
    variant: Variant,
    sampleOf: (index: number) => Sample,
  ): Required<Pick<BenchTarget, "metrics" | "score">> & Pick<BenchTarget, "primary">
  close(): Promise<void>
}

/** Judges and embedders open at their first use; judges spend from the budget of the options, which the load shares. */
export function openScoring(evaluation: Evaluation, options: Omit<OfflineToolsOptions, "evaluation">): Scoring {
  const { metrics, primary } = evaluation
  const offline = createOfflineTools({ ...options, evaluation })
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
