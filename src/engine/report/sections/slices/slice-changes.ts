import type { AnyMetric } from "../../../../core/metric/metric.ts"
import type { ScoredVariant } from "../../../../core/metric/scored-variant.ts"
import type { MissingRule } from "../../../../core/report/comparison.ts"
import { type Figure, unknown } from "../../../../core/report/figure.ts"
import type { SliceChange } from "../../../../core/report/section-slices.ts"
import { mean } from "../../../../stats/mean.ts"
import type { RowPair } from "../../../compare/align.ts"
import { type PairedShare, sumShare, timeShare } from "../../../compare/changes.ts"
import { meanDifference } from "../../../compare/mean-difference.ts"
import { countRows } from "../../../compare/missing-rows.ts"
import { type FigurePairs, figurePairs, measuredPairs } from "../../../compare/pairs/answer-pairs.ts"
import { rowsOf } from "../../../compare/rows-of.ts"
import { type TurnBlocks, turnBlocks } from "../../../compare/turns.ts"

/** A change of one slice before all of them are adjusted together. */
export type RawChange = Omit<SliceChange, "pAdjusted" | "moved">

/** The changes of one figure of one candidate, slice by slice. */
export interface ChangesOptions {
  readonly baseline: ScoredVariant
  readonly candidate: ScoredVariant
  readonly alpha: number
  readonly seed: number
  readonly missing: MissingRule
}

/** Splits items by the slice of their sample; those of no slice are left out. */
export type Split = <Item>(items: readonly Item[], sampleId: (item: Item) => string) => readonly Item[][]

/** A metric's paired differences, a list entry a slice, by the method of every other comparison; null for a slice without pairs. */
export function qualityChanges(
  metric: AnyMetric,
  { baseline, candidate, alpha, seed, missing }: ChangesOptions,
): (split: Split) => readonly (RawChange | null)[] {
  const rows = countRows(metric, rowsOf(baseline, metric.name), rowsOf(candidate, metric.name), {
    missing,
    absentRows: "not_asked",
  })
  const pairs = rows.complete.pairs.length === 0 ? [] : rows.all.filter(hasValues)
  return (split) =>
    split(pairs, ({ sampleId }) => sampleId).map((part) => {
      if (part.length === 0) return null
      const label = `${seed}/slices/${metric.name}`
      const { value, low, high, p, units, method } = meanDifference(part, metric.range, { alpha, seed: label })
      return {
        candidate: candidate.name,
        figure: metric.name,
        before: mean(part.map(({ baseline: row }) => row.value as number)),
        after: mean(part.map(({ candidate: row }) => row.value as number)),
        difference: { status: "known", value, low, high, n: part.length, method },
        // One unit can be a chance of its own.
        p: units < 2 ? null : p,
      }
    })
}

/** Changes of time and cost as shares of the baseline's, slice by slice. */
export function performanceChanges(
  figure: "ttftMs" | "e2eMs" | "costUsd",
  { baseline, candidate, alpha }: ChangesOptions,
): (split: Split) => readonly (RawChange | null)[] {
  const known = figurePairs(measuredPairs(baseline, candidate), figure, 0)
  const blocks = figure !== "costUsd" && known.pairs.length > 0 ? turnBlocks(known.pairs) : null
  const positions = known.pairs.map((_, i) => i)
  return (split) =>
    split(positions, (i) => known.pairs[i]?.[0].sampleId ?? "").map((part) => {
      if (part.length === 0) return null
      const inside = partOf(known, part)
      const share =
        figure === "costUsd" ? sumShare(inside, alpha) : timeShare(inside, alpha, blocks && blocksOf(blocks, part))
      return {
        candidate: candidate.name,
        figure,
        before: mean(inside.before),
        after: mean(inside.after),
        difference: shareFigure(share),
        p: share.p,
      }
    })
}

function partOf({ pairs, before, after }: FigurePairs, part: readonly number[]): FigurePairs {
  return {
    pairs: part.map((i) => pairs[i] as FigurePairs["pairs"][number]),
    before: Float64Array.from(part, (i) => before[i] as number),
    after: Float64Array.from(part, (i) => after[i] as number),
  }
}

/** The blocks of some of the pairs: a drift of the machine is the same for all of them. */
function blocksOf({ of, blocks, turns }: TurnBlocks, part: readonly number[]): TurnBlocks {
  return { of: Int32Array.from(part, (i) => of[i] as number), blocks, turns }
}

function shareFigure({ share, low, high, n, method }: PairedShare): Figure {
  return Number.isFinite(share) ? { status: "known", value: share, low, high, n, method } : unknown("it was 0 before")
}

function hasValues({ baseline, candidate }: RowPair): boolean {
  return baseline.value !== null && candidate.value !== null
}
