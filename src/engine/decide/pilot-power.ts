import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"

/** What a pilot shows about the run that is planned: one line per candidate and primary metric. */
export interface PilotPower {
  /** Id of the pilot run. */
  readonly run: string
  readonly candidates: readonly {
    readonly candidate: string
    readonly metric: string
    /** Smallest difference that the planned number of samples would find with 80 % power. */
    readonly detectableDifference: number
    /** Samples that would find a difference as large as the margin. */
    readonly samplesForMargin: number
  }[]
}

/**
 * Scales what the newest run of the same name and baseline could detect to `samples` samples: the smallest detectable
 * difference falls with the square root of their number. Null without such a run.
 */
export function pilotPower(
  store: Pick<RunStore, "runs" | "report">,
  evaluation: Evaluation,
  samples: number,
): PilotPower | null {
  const pilot = store.runs().find((run) => run.name === evaluation.name && run.baseline === evaluation.baseline)
  const report = pilot ? store.report(pilot.id) : null
  if (!pilot || !report) return null
  const names = new Set(evaluation.variants.map(({ name }) => name))
  const candidates = report.comparisons
    .filter(({ candidate }) => names.has(candidate))
    .flatMap(({ candidate, metrics }) =>
      metrics.flatMap(({ metric, primary, pairs, minimumDetectableEffect: effect }) => {
        if (!primary || effect === null || effect <= 0 || pairs === 0) return []
        return {
          candidate,
          metric,
          detectableDifference: effect * Math.sqrt(pairs / samples),
          samplesForMargin: Math.ceil(pairs * (effect / evaluation.margin) ** 2),
        }
      }),
    )
  return candidates.length === 0 ? null : { run: pilot.id, candidates }
}
