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
    const sum = sums.get(sampleId) ?? { a: 0, b: 0, n: 0 }
    sums.set(sampleId, { a: sum.a + baseline.value, b: sum.b + candidate.value, n: sum.n + 1 })
  }
  return [...sums].map(([sampleId, { a, b, n }]) => ({
    sampleId,
    baseline: a / n,
    candidate: b / n,
    difference: (b - a) / n,
  }))
}
