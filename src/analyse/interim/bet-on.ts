import type { RowPair } from "../../rows/align.ts"
import { unitKey } from "../../rows/entries.ts"
import { roundedDifferences } from "../../stats/rounded.ts"
import { anytimeLowerBound } from "../../stats/sequential/anytime-lower-bound.ts"
import { type LookLevels, lookLevels } from "../../stats/sequential/look-levels.ts"
import type { CandidateLooks } from "./reading.ts"

/** What a candidate must show: that the mean of candidate − baseline lies on the good side of the margin. */
export interface BetQuestion {
  /** In the metric's own unit. */
  readonly margin: number
  /** The bound that must be shown: `lower` where a higher figure is better. */
  readonly side: "lower" | "upper"
  /** Of the metric. */
  readonly range: readonly [number, number]
}

/** A bound by betting, with the levels that it and the look's own bound are read at. */
export interface Bet {
  /** On the side of the question. */
  readonly bound: number
  readonly levels: LookLevels
}

/**
 * The bound by betting of a look; null where none is made: for metrics without limits, and as long as all pairs are right or wrong
 * answers, each its own unit, for which the look's own bound is sharp.
 */
export function betOn(
  pairs: readonly RowPair[],
  { bets, order, samples, look }: CandidateLooks,
  { margin, side, range, share }: BetQuestion & { readonly share: number },
): Bet | null {
  const width = range[1] - range[0]
  const isInside = ({ value }: RowPair["baseline"]) => value !== null && value >= range[0] && value <= range[1]
  if (!Number.isFinite(width) || width <= 0) return null
  if (!pairs.every(({ baseline, candidate }) => isInside(baseline) && isInside(candidate))) return null
  const sign = side === "lower" ? 1 : -1
  const differences = roundedDifferences(
    pairs.map(({ baseline, candidate }) => sign * ((candidate.value as number) - (baseline.value as number))),
  )
  const bySample = new Map<string, number[]>()
  pairs.forEach(({ sampleId }, i) => {
    const existing = bySample.get(sampleId)
    if (existing) existing.push(i)
    else bySample.set(sampleId, [i])
  })
  const uneven = firstUneven(order, bySample, pairs, differences, width)
  if (uneven === null) return null
  const levels = lookLevels(samples, look, { alpha: share, sharpLooks: samples.filter((n) => n <= uneven).length })
  if (levels.betting === null) return null
  const repeats = pairs.reduce((max, { repeat }) => Math.max(max, repeat + 1), 1)
  const sums: number[] = []
  const sizes: number[] = []
  for (const { sampleId, size } of bets.samples) {
    const places = bySample.get(sampleId)
    if (!places) continue
    sums.push(size * places.reduce((sum, i) => sum + (differences[i] as number), 0))
    sizes.push(size * places.length)
  }
  const units = { sums: Float64Array.from(sums), sizes: Float64Array.from(sizes) }
  const options = { width, alpha: levels.betting, against: -margin, largest: bets.largest * repeats }
  return { bound: sign * anytimeLowerBound(units, options), levels }
}

/** Place in the order of the first sample that is not one right or wrong pair of its own unit; null where there is none. */
function firstUneven(
  order: readonly string[],
  bySample: ReadonlyMap<string, readonly number[]>,
  pairs: readonly RowPair[],
  differences: Float64Array,
  width: number,
): number | null {
  const units = new Set<string>()
  for (const [position, sampleId] of order.entries())
    for (const i of bySample.get(sampleId) ?? []) {
      const unit = unitKey(pairs[i] as RowPair)
      const size = Math.abs(differences[i] as number)
      if (units.has(unit) || (size !== 0 && size !== width)) return position
      units.add(unit)
    }
  return null
}
