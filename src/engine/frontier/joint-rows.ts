import type { AnswerFacts, MetricRow, ScoredVariant } from "../../core/metric/scored-variant.ts"
import { byText } from "../../stats/order.ts"
import { unitKey } from "../score/entries.ts"

/** Positions of all samples and repeats that any variant answered, and the unit that each belongs to: what is drawn together. */
export interface JointRows {
  readonly position: ReadonlyMap<string, number>
  readonly clusters: Int32Array
}

/** What a row is found by. */
export function rowKey({ sampleId, repeat }: { readonly sampleId: string; readonly repeat: number }): string {
  return `${sampleId}\u0000${repeat}`
}

/** The joint rows of some variants. */
export function jointRows(variants: readonly ScoredVariant[]): JointRows {
  const all = new Map<string, AnswerFacts | MetricRow>()
  const lists = variants.flatMap(({ answers, rows }) => [...rows.values(), answers])
  const first = lists[0] ?? []
  for (const list of lists)
    for (const [i, row] of list.entries()) {
      // The metrics' rows are mostly of the same answers, in the same order: then no key is made.
      if (list !== first && isSame(row, first[i])) continue
      const key = rowKey(row)
      if (row.cluster !== undefined || !all.has(key)) all.set(key, row)
    }
  const sorted = [...all.values()].sort((a, b) => byText(a.sampleId, b.sampleId) || a.repeat - b.repeat)
  const units = new Map<string, number>()
  const clusters = Int32Array.from(sorted, (row) => {
    const key = unitKey(row)
    if (!units.has(key)) units.set(key, units.size)
    return units.get(key) as number
  })
  return { position: new Map(sorted.map((row, i) => [rowKey(row), i])), clusters }
}

function isSame(row: AnswerFacts | MetricRow, other: AnswerFacts | MetricRow | undefined): boolean {
  return row.sampleId === other?.sampleId && row.repeat === other.repeat && row.cluster === other.cluster
}
