import type { MetricRow } from "../../core/metric/scored-variant.ts"
import { bySample, sortedBySample } from "./pairs/by-sample.ts"

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
  const [before, after] = [sortedBySample(baseline), sortedBySample(candidate)]
  const pairs: RowPair[] = []
  const onlyBaseline: MetricRow[] = []
  const onlyCandidate: MetricRow[] = []
  const samples = countSamples()
  const pairedSamples = countSamples()
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [row, partner] = [before[i], after[j]]
    const order = !row ? 1 : !partner ? -1 : bySample(row, partner)
    if (order <= 0) i++
    if (order >= 0) j++
    const a = order <= 0 ? (row as MetricRow) : null
    const b = order >= 0 ? (partner as MetricRow) : null
    const { sampleId, repeat } = (a ?? b) as MetricRow
    samples.add(sampleId)
    if (!a || !isScored(a)) {
      if (b && isScored(b)) onlyCandidate.push(b)
    } else if (!b || !isScored(b)) onlyBaseline.push(a)
    else {
      const cluster = a.cluster ?? b.cluster
      const pair = { sampleId, repeat, baseline: a, candidate: b }
      pairs.push(cluster === undefined ? pair : { ...pair, cluster })
      pairedSamples.add(sampleId)
    }
  }
  return { pairs, samples: samples.count(), pairedSamples: pairedSamples.count(), onlyBaseline, onlyCandidate }
}

/** Counts the different ids of a sorted list. */
function countSamples() {
  let last: string | null = null
  let count = 0
  return {
    add(id: string): void {
      if (id !== last) count++
      last = id
    },
    count: () => count,
  }
}

function isScored(row: MetricRow): boolean {
  return row.measured.status === "scored"
}
