import type { AnyMetric, RowEntry } from "../../core/metric/metric.ts"
import type { MetricRow, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { byText } from "../../stats/order.ts"
import { entryOf, unitKey } from "../score/entries.ts"

/** One variant's answer to one sample, as a cascade sees it. */
export interface CascadeStage {
  readonly entry: RowEntry<unknown>
  readonly value: number | null
  readonly confidence: number | null
  readonly costUsd: number | null
  readonly e2eMs: number | null
}

/** A sample (and repeat) that every stage answered. */
export interface RoutedSample {
  readonly unit: string
  readonly stages: readonly CascadeStage[]
}

/** What a cascade with given thresholds scores and costs; means per sample. */
export interface CascadeOutcome {
  readonly quality: number
  readonly costUsd: number | null
  readonly e2eMs: number | null
  /** Share of the samples that left the first stage. */
  readonly escalated: number
}

/** Aligns the stages by sample and repeat; samples that a stage has no score for are left out. */
export function cascadeStages(variants: readonly ScoredVariant[], metric: AnyMetric): RoutedSample[] {
  const keyOf = (row: { readonly sampleId: string; readonly repeat: number }) => `${row.repeat}\u0000${row.sampleId}`
  const tables = variants.map((variant) => {
    const facts = new Map(variant.answers.map((answer) => [keyOf(answer), answer]))
    const rows = (variant.rows.get(metric.name) ?? []).filter((row) => row.measured.status === "scored")
    return new Map(
      rows.map((row): [string, CascadeStage & { readonly row: MetricRow }] => {
        const answer = facts.get(keyOf(row))
        const { confidence = null, costUsd = null, e2eMs = null } = answer ?? {}
        return [keyOf(row), { row, entry: entryOf(row), value: row.value, confidence, costUsd, e2eMs }]
      }),
    )
  })
  return [...(tables[0]?.values() ?? [])]
    .flatMap(({ row }) => {
      const stages = tables.flatMap((table) => table.get(keyOf(row)) ?? [])
      return stages.length === variants.length ? [{ row, unit: unitKey(row), stages }] : []
    })
    .sort((a, b) => byText(a.row.sampleId, b.row.sampleId) || a.row.repeat - b.row.repeat)
    .map(({ unit, stages }) => ({ unit, stages }))
}

/** Simulates the cascade: each stage but the last hands on what it is less sure of than its threshold. */
export function cascadeOutcome(
  samples: readonly RoutedSample[],
  thresholds: readonly number[],
  metric: AnyMetric,
): CascadeOutcome {
  let cost: number | null = 0
  let time: number | null = 0
  let escalated = 0
  const chosen: CascadeStage[] = []
  for (const { stages } of samples) {
    let last = 0
    while (last < thresholds.length && escalates(stages[last], thresholds[last] as number)) last++
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

/** A metric over the answers that a cascade ended with. */
export function qualityOf(chosen: readonly CascadeStage[], metric: AnyMetric): number {
  return metric.summarise(chosen.map(({ entry }) => entry)).value ?? Number.NaN
}

function escalates(stage: CascadeStage | undefined, threshold: number): boolean {
  const confidence = stage?.confidence ?? null
  // "Never escalate" means never, also for an answer whose confidence is unknown.
  return threshold > 0 && (confidence === null || confidence < threshold)
}
