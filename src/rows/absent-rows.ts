import { absentScore } from "../core/foreign/foreign-log.ts"
import { type AnswerKey, lackingScores } from "../core/foreign/lacking-scores.ts"
import type { MetricRow } from "../core/metric/metric.ts"
import type { ScoredVariant } from "../core/metric/scored-variant.ts"

/** Rows by metric: of these only the samples are looked at. */
type RowsByMetric = ReadonlyMap<string, readonly Pick<AnswerKey, "sampleId">[]>

/**
 * A variant of a log with a row for each answer that lacks a score of a metric which was asked of it: failed, or unscored.
 *
 * @param options `others`: rows of other variants, which show what was asked of a sample
 */
export function withAbsentRows(
  variant: ScoredVariant,
  { isUniform, others }: { readonly isUniform: boolean; readonly others: readonly RowsByMetric[] },
): ScoredVariant {
  const { answers } = variant
  const rows = [...variant.rows].map(([metric, list]): [string, readonly MetricRow[]] => {
    const alsoAsked = others.flatMap((partner) => (partner.get(metric) ?? []).map(({ sampleId }) => sampleId))
    const absent = lackingScores(answers, list, { isUniform, alsoAsked })
    return [metric, absent.length === 0 ? list : [...list, ...absent.map(absentRow)]]
  })
  return { ...variant, rows: new Map(rows) }
}

function absentRow({ sampleId, repeat, outcome, cluster, group }: ScoredVariant["answers"][number]): MetricRow {
  const split = { ...(cluster !== undefined && { cluster }), ...(group !== undefined && { group }) }
  return { sampleId, repeat, ...split, measured: absentScore(outcome), value: null }
}
