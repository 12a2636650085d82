import type { AnyMetric, MetricRow } from "../../core/metric/metric.ts"
import type { AnswerFacts, ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { RowPair } from "../../rows/align.ts"
import { countFailures, failedAnswer } from "../../rows/count-failures.ts"
import { entryOf } from "../../rows/entries.ts"
import { gapOf, worstValue } from "../../rows/missing-rows.ts"
import { rowsOf } from "../../rows/rows-of.ts"
import type { BoundedValue } from "../../stats/intervals/quotient-interval.ts"
import { mean } from "../../stats/mean.ts"
import { byText } from "../../stats/order.ts"

/** One variant's answer to one sample, as a cascade sees it. */
export interface CascadeStage {
  readonly row: MetricRow
  readonly confidence: number | null
  readonly costUsd: number | null
  readonly e2eMs: number | null
}

/** A sample (and repeat) with an answer of every stage, in the stages' order. */
export type RoutedSample = readonly CascadeStage[]

/** What a cascade can be simulated from. */
export interface RoutedSamples {
  /** Sorted by sample id and repeat. */
  readonly samples: readonly RoutedSample[]
  /** The metric, which counts an answer that failed as its worst value where a stage has one. */
  readonly metric: AnyMetric
}

/** What a cascade with given thresholds scores and costs; means per sample. */
export interface CascadeOutcome {
  readonly quality: number
  readonly costUsd: number | null
  readonly e2eMs: number | null
  /** Share of the samples that left the first stage. */
  readonly escalated: number
}

/** Mean cost of an answer by variant, where single answers have no price: hardware that is paid by the hour. @experimental */
export type MeanCosts = ReadonlyMap<string, BoundedValue | null>

/**
 * Aligns the stages by sample and repeat. An answer of an earlier stage that failed counts as the worst value, and a cascade
 * hands it on; samples that the last stage has no score for, or that a stage was not asked, are left out.
 */
export function cascadeStages(
  variants: readonly ScoredVariant[],
  metric: AnyMetric,
  meanCosts: MeanCosts = new Map(),
): RoutedSamples {
  const tables = variants.map((variant) => stagesOf(variant, metric, meanCosts.get(variant.name)?.value ?? null))
  const worst = worstValue(
    metric,
    tables.flatMap((table) => [...table.values()].map(({ row }) => row)),
  ).worst
  const last = tables.at(-1)
  const samples = [...(last?.values() ?? [])]
    .filter(({ row }) => row.measured.status === "scored")
    .flatMap(({ row }) => {
      const stages = tables.flatMap((table) => asCounted(table.get(keyOf(row)), worst) ?? [])
      return stages.length === variants.length ? [stages] : []
    })
    .sort((a, b) => bySample(rowOf(a), rowOf(b)))
  const failed = samples.some((stages) => stages.some(({ row }) => hasFailed(row)))
  return { samples, metric: failed && worst !== null ? countFailures(metric, worst) : metric }
}

/** Simulates the cascade: each stage but the last hands on what it is less sure of than its threshold. */
export function cascadeOutcome({ samples, metric }: RoutedSamples, thresholds: readonly number[]): CascadeOutcome {
  let cost: number | null = 0
  let time: number | null = 0
  let escalated = 0
  const chosen: CascadeStage[] = []
  for (const stages of samples) {
    const last = stageReached(stages, thresholds)
    if (last > 0) escalated++
    for (const stage of stages.slice(0, last + 1)) {
      cost = cost === null || stage.costUsd === null ? null : cost + stage.costUsd
      time = time === null || stage.e2eMs === null ? null : time + stage.e2eMs
    }
    chosen.push(stages[last] as CascadeStage)
  }
  const n = samples.length
  return {
    quality: qualityOf(chosen, metric),
    costUsd: cost === null ? null : cost / n,
    e2eMs: time === null ? null : time / n,
    escalated: escalated / n,
  }
}

/** Each sample's answer of the last stage beside the one that the cascade ends with. */
export function cascadePairs({ samples }: RoutedSamples, thresholds: readonly number[]): RowPair[] {
  return samples.map((stages) => {
    const baseline = (stages.at(-1) as CascadeStage).row
    const candidate = (stages[stageReached(stages, thresholds)] as CascadeStage).row
    const { sampleId, repeat, cluster } = baseline
    return { sampleId, repeat, baseline, candidate, ...(cluster === undefined ? {} : { cluster }) }
  })
}

/** A metric over the answers that a cascade ended with. */
export function qualityOf(chosen: readonly CascadeStage[], metric: AnyMetric): number {
  // A mean is the mean of its values: so hundreds of thresholds need no summary each.
  if (metric.aggregation.kind === "mean" && chosen.every(({ row }) => row.value !== null))
    return mean(chosen.map(({ row }) => row.value as number))
  return metric.summarise(chosen.map(({ row }) => entryOf(row))).value ?? Number.NaN
}

/** Number of the stage whose answer a sample ends with. */
export function stageReached(stages: RoutedSample, thresholds: readonly number[]): number {
  let last = 0
  while (last < thresholds.length && escalates(stages[last], thresholds[last] as number)) last++
  return last
}

function escalates(stage: CascadeStage | undefined, threshold: number): boolean {
  const confidence = stage?.confidence ?? null
  // "Never escalate" means never, also for an answer whose confidence is unknown.
  return threshold > 0 && (confidence === null || confidence < threshold)
}

function stagesOf(
  variant: ScoredVariant,
  metric: AnyMetric,
  meanCost: number | null,
): ReadonlyMap<string, CascadeStage> {
  const facts = new Map(variant.answers.map((answer): [string, AnswerFacts] => [keyOf(answer), answer]))
  return new Map(
    rowsOf(variant, metric.name).map((row) => {
      const { confidence = null, costUsd = null, e2eMs = null } = facts.get(keyOf(row)) ?? {}
      return [keyOf(row), { row, confidence, costUsd: costUsd ?? meanCost, e2eMs }]
    }),
  )
}

/** The stage as it counts: null where it is unknown how good its answer is, or nothing says how bad a failure is. */
function asCounted(stage: CascadeStage | undefined, worst: number | null): CascadeStage | null {
  const gap = gapOf(stage?.row, "not_asked")
  if (!stage || gap === null) return stage ?? null
  if (gap !== "failed" || worst === null) return null
  const row = { ...stage.row, measured: { status: "scored" as const, row: failedAnswer }, value: worst }
  return { ...stage, row, confidence: null }
}

/** Whether a row stands for an answer that failed. */
export function hasFailed({ measured }: MetricRow): boolean {
  return measured.status === "scored" && measured.row === failedAnswer
}

function rowOf(stages: RoutedSample): MetricRow {
  return (stages[0] as CascadeStage).row
}

function bySample(a: MetricRow, b: MetricRow): number {
  return byText(a.sampleId, b.sampleId) || a.repeat - b.repeat
}

function keyOf({ sampleId, repeat }: { readonly sampleId: string; readonly repeat: number }): string {
  return `${repeat}\u0000${sampleId}`
}
