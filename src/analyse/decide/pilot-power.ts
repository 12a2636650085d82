import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { alignRows } from "../../rows/align.ts"
import { powerOfBound, samplesForPower } from "../../stats/tests/bound-power.ts"
import { defaultPower } from "../../stats/tests/power.ts"
import { marginFor } from "../compare/margin.ts"
import { sampleSplits } from "../summary/sample-splits.ts"
import { populationOfPairs } from "./pilot-population.ts"

/** What a pilot shows about the run that is planned: one line per candidate and primary metric. */
export interface PilotPower {
  /** Id of the pilot run. */
  readonly run: string
  readonly candidates: readonly PilotCandidate[]
}

/** How surely a planned run shows that a candidate is not worse, where it truly is as good. */
export interface PilotCandidate {
  readonly candidate: string
  readonly metric: string
  readonly margin: number
  /** One-sided error rate that was planned with: alpha shared among the candidates. */
  readonly alpha: number
  /** Share of runs of the planned number of samples that show it, 0..1. */
  readonly power: number
  /** Samples that show it in 80 % of runs; null where the planned ones do, or where no number does. */
  readonly samplesNeeded: number | null
}

/**
 * How the rule that decides would do with `samples` samples like those of the newest run of the same name and baseline, by
 * simulation from its stored rows. Null without such a run, and where none of its samples differ.
 */
export function pilotPower(
  store: Pick<RunStore, "runs" | "rows" | "events" | "splitSamples">,
  evaluation: Evaluation,
  samples: number,
): PilotPower | null {
  const pilot = store.runs().find((run) => run.name === evaluation.name && run.baseline === evaluation.baseline)
  if (!pilot) return null
  const names = evaluation.variants.map(({ name }) => name).filter((name) => name !== evaluation.baseline)
  const alpha = evaluation.alpha / Math.max(1, names.length)
  const candidates = names
    .filter((name) => pilot.variants.some((variant) => variant.name === name))
    .flatMap((candidate) =>
      evaluation.primary.flatMap((metric) => {
        const power = candidatePower(store, evaluation, pilot, { candidate, metric, samples, alpha })
        return power ? [power] : []
      }),
    )
  return candidates.length === 0 ? null : { run: pilot.id, candidates }
}

function candidatePower(
  store: Pick<RunStore, "rows" | "events" | "splitSamples">,
  evaluation: Evaluation,
  pilot: RunRecord,
  { candidate, metric: name, samples, alpha }: { candidate: string; metric: string; samples: number; alpha: number },
): PilotCandidate | null {
  const metric = evaluation.metrics.find((entry) => entry.name === name)
  if (!metric || evaluation.baseline === null || metric.aggregation.kind !== "mean") return null
  const splits = sampleSplits(store, pilot)
  const rowsOf = (variant: string) =>
    Array.from(store.rows(pilot.id, variant, name), (row) => ({ ...row, ...splits.get(row.sampleId) }))
  const [baseline, rows] = [rowsOf(evaluation.baseline), rowsOf(candidate)]
  const { pairs } = alignRows(baseline, rows)
  const population = populationOfPairs(pairs, metric)
  if (!population) return null
  const values = baseline.flatMap(({ value }) => (value === null ? [] : [value]))
  const margin = marginFor(metric, evaluation, values.reduce((sum, value) => sum + value, 0) / values.length)
  const { power } = powerOfBound(population, samples, { margin, alpha, runs: 1000 })
  const samplesNeeded =
    power >= defaultPower ? null : (samplesForPower(population, { margin, alpha, runs: 500 })?.samples ?? null)
  return { candidate, metric: name, margin, alpha, power, samplesNeeded }
}
