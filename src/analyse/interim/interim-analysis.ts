import type { MetricRow } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { QualityVerdict } from "../../core/report/comparison.ts"
import { answerKey } from "../../core/run/answer-key.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { columnBuilder } from "../../rows/columns/column-rows.ts"
import { viewOf } from "../../rows/columns/metric-rows.ts"
import { sharedAnswers } from "../../rows/columns/shared-answers.ts"
import { isOurFault } from "../../rows/rows-of.ts"
import { candidateFindings } from "../compare/compare-candidates.ts"
import { qualityOf } from "../decide/judge-candidate.ts"
import { sampleSplits } from "../summary/sample-splits.ts"
import type { PlannedLooks } from "./reading.ts"
import type { InterimState } from "./stopped-early.ts"

/** What a look needs. */
export interface InterimOptions {
  readonly evaluation: Evaluation
  readonly store: RunStore
  readonly runId: string
  readonly dataset: string
  readonly candidates: readonly string[]
  readonly design: PlannedLooks
}

const statusOf: Readonly<Record<QualityVerdict, InterimState["status"]>> = {
  better: "non_inferior",
  non_inferior: "non_inferior",
  worse: "inferior",
  inconclusive: "open",
  unknown: "open",
}

/** Which candidates are settled by the stored rows, decided as the report decides. */
export function interimAnalysis(options: InterimOptions): InterimState[] {
  const { evaluation, candidates, design } = options
  const primary = new Set(evaluation.primary)
  const compared = candidateFindings({
    ...evaluation,
    metrics: evaluation.metrics.filter(({ name }) => primary.has(name)),
    design,
    baseline: scoredSoFar(options, evaluation.baseline ?? ""),
    candidates: candidates.map((name) => scoredSoFar(options, name)),
  })
  return compared.map(({ candidate, findings }) => ({
    candidate: candidate.name,
    status: statusOf[qualityOf({ metrics: findings })],
    samples: design.samples[design.at.get(candidate.name) ?? 0] as number,
  }))
}

/** The rows of the primary metrics, without those of requests that we cancelled. */
function scoredSoFar({ evaluation, store, runId, dataset }: InterimOptions, variant: string): ScoredVariant {
  const answers = sharedAnswers(sampleSplits(store, { id: runId, dataset: { fingerprint: dataset } }))
  const ours = new Set<string>()
  for (const call of store.finished(runId))
    if (call.variant === variant && isOurFault(call.outcome)) ours.add(answerKey(call))
  const rows = evaluation.primary.map((metric): [string, readonly MetricRow[]] => {
    const column = columnBuilder(answers.begin("rows"))
    for (const row of store.rows(runId, variant, metric))
      if (ours.size === 0 || !ours.has(answerKey(row))) column.add(row.sampleId, row.repeat, row.value, row.measured)
    return [metric, viewOf(column.done())]
  })
  return { name: variant, answers: [], rows: new Map(rows) }
}
