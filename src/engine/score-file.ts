import { UsageError } from "../core/errors.ts"
import type { Figure } from "../core/figure.ts"
import type { Generation } from "../core/generation.ts"
import type { JsonValue } from "../core/json.ts"
import type { AnyMetric, Measured, Unscored } from "../core/metric.ts"
import type { MetricTools } from "../core/metric-tools.ts"
import type { Sample } from "../core/sample.ts"
import type { MetricRow } from "../core/scored-variant.ts"
import { qualityFigure } from "./interval.ts"
import { scoreAnswer } from "./score.ts"

/** An output that another tool made, with what is known about its sample. */
export interface ForeignAnswer {
  readonly sample: Sample
  readonly generation: Generation
  /** `file:line`. */
  readonly where: string
}

/** A foreign answer after scoring: its texts are gone. Plain data, so that workers can send it. */
export interface ScoredForeignAnswer {
  readonly sampleId: string
  readonly repeat: number
  readonly group?: string
  readonly cluster?: string
  readonly where: string
  /** One entry per metric, in the order of the metrics. */
  readonly scores: readonly { readonly measured: Measured<unknown>; readonly value: number | null }[]
}

/** A metric over all foreign answers. */
export interface ForeignFigure {
  readonly metric: string
  readonly signature: string
  readonly figure: Figure
  readonly scored: number
  /** Count by reason. */
  readonly unscored: ReadonlyMap<string, number>
  /** The first answer without a score by reason: `id, file:line`. */
  readonly firstUnscored: ReadonlyMap<string, string>
  readonly details: JsonValue
}

/**
 * Measures one foreign answer.
 * @param metrics dependencies before those that depend on them ({@link orderMetrics})
 */
export async function scoreForeignAnswer(
  metrics: readonly AnyMetric[],
  answer: ForeignAnswer,
  tools: Omit<MetricTools, "valueOf">,
): Promise<ScoredForeignAnswer> {
  const { sample, generation, where } = answer
  const rows = await scoreAnswer(metrics, sample, generation, tools)
  return {
    sampleId: sample.id,
    repeat: generation.repeat,
    ...(sample.group === undefined ? {} : { group: sample.group }),
    ...(sample.cluster === undefined ? {} : { cluster: sample.cluster }),
    where,
    scores: rows.map(({ measured, value }) => ({ measured, value })),
  }
}

/** Collects scored answers and makes figures of them. Holds rows of statistics, never a text. */
export interface ForeignScores {
  readonly count: number
  /** @throws {UsageError} when the same answer was added before */
  add(answer: ScoredForeignAnswer): void
  /** @throws {UsageError} when not a single sample has what a metric compares with */
  figures(options: { readonly seed: number; readonly alpha: number }): ForeignFigure[]
}

/** An empty collection for the metrics, which must be in the order in which answers were scored. */
export function collectForeignScores(metrics: readonly AnyMetric[]): ForeignScores {
  const seen = new Set<string>()
  const places: Place[] = []
  const columns = metrics.map((metric) => ({ metric, column: createColumn() }))
  return {
    get count() {
      return places.length
    },
    add({ sampleId, repeat, group, cluster, where, scores }) {
      const key = repeat === 0 ? sampleId : `${sampleId}\u0000${repeat}`
      if (seen.has(key))
        throw new UsageError(`the id "${sampleId}" occurs twice`, {
          code: "duplicate_id",
          where,
          hint: "ids must be unique; number several answers to one sample in a field repeat: 0, 1, 2 …",
        })
      seen.add(key)
      for (const [i, { metric, column }] of columns.entries()) {
        const score = scores[i]
        if (score === undefined) throw new Error(`no score of ${metric.name} for ${sampleId}`)
        column.add(places.length, score.measured, `${sampleId}, ${where}`)
      }
      places.push({
        sampleId,
        repeat,
        ...(group !== undefined && { group }),
        ...(cluster !== undefined && { cluster }),
      })
    },
    figures: ({ seed, alpha }) =>
      columns.map(({ metric, column }) => {
        const { reasons } = column
        if (places.length > 0 && reasons.total === places.length) refuseMissing(metric, reasons)
        const { figure, details } = qualityFigure(metric, column.metricRows(metric, places), { seed, alpha })
        return {
          metric: metric.name,
          signature: metric.signature,
          figure,
          scored: places.length - reasons.total,
          unscored: reasons.counts,
          firstUnscored: reasons.first,
          details,
        }
      }),
  }
}

type Place = Pick<MetricRow, "sampleId" | "repeat" | "group" | "cluster">

/** One metric's rows, as bare as they come: a million numbers take eight megabytes, a million objects a hundred. */
function createColumn() {
  const rows: unknown[] = []
  const missing = new Map<number, Unscored>()
  const reasons = createReasons()
  return {
    reasons,
    add(place: number, measured: Measured<unknown>, where: string) {
      if (measured.status === "scored") {
        rows.push(measured.row)
        return
      }
      rows.push(0)
      missing.set(place, measured)
      reasons.add(measured.reason, where)
    },
    metricRows: (metric: AnyMetric, places: readonly Place[]): MetricRow[] =>
      places.map((place, i): MetricRow => {
        const unscored = missing.get(i)
        if (unscored) return { ...place, measured: unscored, value: null }
        return { ...place, measured: { status: "scored", row: rows[i] }, value: metric.value(rows[i]) }
      }),
  }
}

/** Reasons, of which a metric may make a new one for every answer: counted by text up to a limit. */
function createReasons() {
  const limit = 100
  const counts = new Map<string, number>()
  const first = new Map<string, string>()
  let total = 0
  return {
    counts,
    first,
    get total() {
      return total
    },
    add(reason: string, where: string) {
      total++
      const key = counts.has(reason) || counts.size < limit ? reason : "other reasons"
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (!first.has(key)) first.set(key, where)
    },
  }
}

/** Nothing to compare with in the whole file is a mistake of the caller's, not of the data's. */
function refuseMissing(metric: AnyMetric, reasons: ReturnType<typeof createReasons>): void {
  const [reason] = reasons.counts.keys()
  if (reason === undefined || reasons.counts.size > 1 || !/^no_[a-z]+\b/.test(reason)) return
  throw new UsageError(`no sample can be scored by ${metric.name}: ${reason}`, {
    code: reason.split(":")[0] as string,
    where: `first: ${reasons.first.get(reason)}`,
    hint: "add the field to the rows, or leave the metric out of the config",
  })
}
