import type { RowPair } from "./align.ts"

/** What changed for one sample. */
export interface SampleDifference {
  readonly sampleId: string
  /** Mean over the sample's paired repeats. */
  readonly baseline: number
  readonly candidate: number
  /** candidate − baseline. */
  readonly difference: number
}

/** One difference per sample, repeats averaged; pairs without a value of their own are left out. */
export function sampleDifferences(pairs: readonly RowPair[]): SampleDifference[] {
  const sums = new Map<string, { a: number; b: number; n: number }>()
  for (const { sampleId, baseline, candidate } of pairs) {
    if (baseline.value === null || candidate.value === null) continue
    const sum = sums.get(sampleId)
    if (sum) {
      sum.a += baseline.value
      sum.b += candidate.value
      sum.n++
    } else sums.set(sampleId, { a: baseline.value, b: candidate.value, n: 1 })
  }
  return Array.from(sums, ([sampleId, { a, b, n }]) => ({
    sampleId,
    baseline: a / n,
    candidate: b / n,
    difference: (b - a) / n,
  }))
}
