import type { RowEntry } from "../../core/metric/metric.ts"
import type { PairMetric } from "../../core/metric/pair-metric.ts"
import { figureValue } from "../../core/report/figure.ts"
import { unitKey } from "../../rows/entries.ts"
import { meanBound } from "../../stats/intervals/mean-bound.ts"
import { groupUnits } from "../../stats/resampling/units.ts"
import { signTest } from "../../stats/tests/sign-test.ts"
import type { PairSummary } from "./pair-summary.ts"

/** A candidate and how far it is from the variant that all are compared with. */
export interface RankedPair {
  readonly candidate: string
  readonly summary: PairSummary
}

/**
 * Candidates by their distance, smallest first, in groups: two neighbours in different groups differ beyond chance. Two
 * candidates are compared on the answers and positions that both have in common, with samples (clusters) as units: by the
 * bound of the mean difference, or, as few positions with a large distance hide many small ones, by the sign test. Alpha is
 * shared by both and by all pairs; whom chance could have put first is not put first. Empty for a metric whose rows have nothing in
 * common that an order may rest on.
 */
export function rankPairs(
  metric: PairMetric,
  pairs: readonly RankedPair[],
  alpha: number,
): readonly (readonly RankedPair[])[] {
  if (!metric.common) return []
  const ranked = pairs
    .filter(({ summary }) => summary.figure.status === "known")
    .toSorted((a, b) => (figureValue(a.summary.figure) ?? 0) - (figureValue(b.summary.figure) ?? 0))
  const tests = (ranked.length * (ranked.length - 1)) / 2
  const groups: RankedPair[][] = []
  for (const pair of ranked) {
    const last = groups.at(-1)
    if (last?.some((other) => !isFarther(metric, other, pair, alpha / tests))) last.push(pair)
    else groups.push([pair])
  }
  return groups
}

/** Whether the second is provably farther away than the first. */
function isFarther(metric: PairMetric, first: RankedPair, second: RankedPair, alpha: number): boolean {
  const { aggregation } = metric
  if (!metric.common || aggregation?.kind !== "sum" || aggregation.size !== 2) return false
  const keyOf = ({ sampleId, repeat }: RowEntry<unknown>) => `${repeat}\u0000${sampleId}`
  const partners = new Map(second.summary.entries.map((entry) => [keyOf(entry), entry]))
  const totals = new Float64Array(2)
  const read = (row: unknown): readonly [number, number] => {
    aggregation.vector(row, totals, 0)
    return [totals[0] as number, totals[1] as number]
  }
  const keys: string[] = []
  const differences: number[] = []
  const positions: number[] = []
  for (const entry of first.summary.entries) {
    const partner = partners.get(keyOf(entry))
    if (!partner) continue
    totals.fill(0)
    const [near, far] = metric.common(entry.row, partner.row)
    const [nearTotal, count] = read(near)
    totals.fill(0)
    const [farTotal] = read(far)
    if (count === 0) continue
    keys.push(unitKey(entry))
    differences.push(farTotal - nearTotal)
    positions.push(count)
  }
  if (keys.length === 0) return false
  const { sums } = groupUnits(differences, keys)
  const sizes = groupUnits(positions, keys).sums
  const limits = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
  const { value, low, abstain } = meanBound({ sums, sizes, single: false }, { range: limits, alpha: alpha / 2 })
  if (abstain === undefined && low !== null && low > 0) return true
  const rises = sums.filter((sum) => sum > 0).length
  const falls = sums.filter((sum) => sum < 0).length
  return value > 0 && rises > falls && signTest(sums) <= alpha / 2
}
