import type { MetricRow } from "../../core/metric/scored-variant.ts"
import { byText } from "../../stats/order.ts"

/** Rows of two variants for the same sample and repeat, both scored. */
export interface RowPair {
  readonly sampleId: string
  readonly repeat: number
  readonly cluster?: string
  readonly baseline: MetricRow
  readonly candidate: MetricRow
}

/** Two variants' rows of one metric, aligned. */
export interface AlignedRows {
  /** Sorted by sample id and repeat. */
  readonly pairs: readonly RowPair[]
  /** Samples that either side has. */
  readonly samples: number
  /** Samples with a pair. */
  readonly pairedSamples: number
  /** Scored rows without a scored partner. */
  readonly onlyBaseline: readonly MetricRow[]
  readonly onlyCandidate: readonly MetricRow[]
}

/** Pairs rows by sample and repeat; the order of either side does not matter. */
export function alignRows(baseline: readonly MetricRow[], candidate: readonly MetricRow[]): AlignedRows {
  const keyOf = (row: MetricRow) => `${row.repeat}\u0000${row.sampleId}`
  const partners = new Map(candidate.filter(isScored).map((row) => [keyOf(row), row]))
  const pairs: RowPair[] = []
  const onlyBaseline: MetricRow[] = []
  for (const row of baseline) {
    if (!isScored(row)) continue
    const partner = partners.get(keyOf(row))
    if (!partner) {
      onlyBaseline.push(row)
      continue
    }
    partners.delete(keyOf(row))
    const cluster = row.cluster ?? partner.cluster
    const { sampleId, repeat } = row
    pairs.push({ sampleId, repeat, baseline: row, candidate: partner, ...(cluster === undefined ? {} : { cluster }) })
  }
  const bySample = (a: RowPair | MetricRow, b: RowPair | MetricRow) =>
    byText(a.sampleId, b.sampleId) || a.repeat - b.repeat
  return {
    pairs: pairs.sort(bySample),
    samples: new Set([...baseline, ...candidate].map((row) => row.sampleId)).size,
    pairedSamples: new Set(pairs.map((pair) => pair.sampleId)).size,
    onlyBaseline: onlyBaseline.sort(bySample),
    onlyCandidate: [...partners.values()].sort(bySample),
  }
}

function isScored(row: MetricRow): boolean {
  return row.measured.status === "scored"
}
