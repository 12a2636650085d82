import type { MetricRow } from "../../core/metric/metric.ts"
import type { ScoredVariant } from "../../core/metric/scored-variant.ts"
import type { SampleSplit } from "../../core/sample.ts"
import { repeatedQuestions } from "../../wording/repeated-questions.ts"

/** Both sides of a comparison with their samples that ask the same question in one cluster, and a note where there are some. */
export function withQuestionClusters<Side extends { readonly scored: ScoredVariant }>(
  sides: readonly [Side, Side],
): { readonly sides: readonly [Side, Side]; readonly notes: readonly string[] } {
  // What either side has found: another one may state no questions.
  const clusters = new Map(sides.flatMap(({ scored }) => [...(scored.questions ?? [])]))
  if (clusters.size === 0) return { sides, notes: [] }
  const clustered = <Row extends SampleSplit & { readonly sampleId: string }>(row: Row): Row => {
    const cluster = clusters.get(row.sampleId)
    return cluster === undefined || row.cluster !== undefined ? row : { ...row, cluster }
  }
  const samples = new Set(sides.flatMap(({ scored }) => scored.answers.map(({ sampleId }) => sampleId))).size
  return {
    sides: sides.map((side) => {
      const rows = [...side.scored.rows].map(([name, list]): [string, MetricRow[]] => [name, list.map(clustered)])
      return { ...side, scored: { ...side.scored, answers: side.scored.answers.map(clustered), rows: new Map(rows) } }
    }) as unknown as readonly [Side, Side],
    notes: [repeatedQuestions(samples, clusters)],
  }
}
