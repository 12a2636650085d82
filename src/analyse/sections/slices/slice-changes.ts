import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import type { MissingRule } from "../../../core/report/comparison.ts"
import { type Figure, unknown } from "../../../core/report/figure.ts"
import type { SliceChange } from "../../../core/report/section-slices.ts"
import { differenceOfMeans } from "../../../estimate/mean-difference.ts"
import { numbersWhere } from "../../../rows/align.ts"
import { type FigurePairs, figurePairs, measuredPairs, pairIds, pairsAt } from "../../../rows/answer-pairs.ts"
import { countRows } from "../../../rows/missing-rows.ts"
import { type PairColumns, pairsBehind } from "../../../rows/pair-columns.ts"
import { rowsOf } from "../../../rows/rows-of.ts"
import { mean } from "../../../stats/mean.ts"
import { numberUnits } from "../../../stats/resampling/units.ts"
import {
  momentsByCell,
  momentsTogether,
  momentsWithout,
  type PartTest,
  partTest,
  partTestOf,
  type UnitMoments,
} from "../../../stats/tests/part-test.ts"
import { dearestAnswers, type PairedShare, sumShare, timeShare } from "../../compare/changes.ts"
import { type TurnBlocks, turnBlocks } from "../../compare/turns.ts"

/** Samples below which a slice says nothing by itself. */
export const minSliceSamples = 10

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

/** Splits the answers to these samples by slice: their places, a list a slice; those of no slice are left out. */
export type Split = (sampleIds: readonly string[]) => readonly Int32Array[]

/** A metric's paired differences of one candidate, slice by slice. */
export interface QualityChanges {
  readonly candidate: string
  readonly figure: string
  /** A list entry a slice, by the method of every other comparison, tested against the rest; null for a slice without pairs. */
  ofSlices(split: Split): readonly (RawChange | null)[]
  /** The samples that slices of two splits share, where there are enough of them and beside them. */
  ofShared(first: Split, second: Split): readonly SharedChange[]
}

/**
 * What the samples of two slices lose or gain, beside the others of the one slice, of the other, and of all: p is the largest of the
 * three and of that of no change, so that neither slice alone explains it.
 */
export interface SharedChange {
  /** Numbers of the two slices. */
  readonly slices: readonly [number, number]
  readonly p: number
  change(): RawChange
}

/** {@link QualityChanges} of a metric. */
export function qualityChanges(
  metric: AnyMetric,
  { baseline, candidate, alpha, seed, missing }: ChangesOptions,
): QualityChanges {
  const rows = countRows(metric, rowsOf(baseline, metric.name), rowsOf(candidate, metric.name), {
    missing,
    absentRows: "not_asked",
  })
  const pairs = pairsBehind(rows.complete.pairs.length === 0 ? [] : rows.all)
  const [before, after] = [pairs.baseline.values, pairs.candidate.values]
  const hasValues = (pair: number) => !Number.isNaN(before[pair]) && !Number.isNaN(after[pair])
  const indices = numbersWhere(pairs.length, hasValues)
  const ids = pairs.answers.ids
  const whole = differencesOf(pairs, indices)
  const test = (part: Int32Array) => {
    const inside = numbered([part], pairs.length)
    return partTest(whole.differences, whole.units, (index) => inside[indices[index] as number] === 0)
  }
  const change = (part: Int32Array, tested: PartTest | null): RawChange => {
    const options = { range: metric.range, alpha, seed: `${seed}/slices/${metric.name}`, test: false }
    const { value, low, high, method } = differenceOfMeans(partOfColumns(pairs, part), options)
    return {
      candidate: candidate.name,
      figure: metric.name,
      before: mean(valuesAt(before, part)),
      after: mean(valuesAt(after, part)),
      difference: { status: "known", value, low, high, n: part.length, method },
      rest: tested?.rest ?? null,
      p: tested && Math.max(tested.p, tested.pOfZero),
    }
  }
  const partsOf = (split: Split) => split(ids).map((all) => all.filter(hasValues))
  return {
    candidate: candidate.name,
    figure: metric.name,
    ofSlices: (split) => partsOf(split).map((part) => (part.length === 0 ? null : change(part, test(part)))),
    ofShared(first, second) {
      const [ones, others] = [partsOf(first), partsOf(second)]
      const [oneOf, otherOf] = [ones, others].map((parts) => numbered(parts, pairs.length)) as [Int16Array, Int16Array]
      const cells = (ones.length + 1) * (others.length + 1)
      const cellOf = (i: number) => (i + 1) * (others.length + 1)
      const moments = momentsByCell(whole.differences, whole.units, cells, (index) => {
        const pair = indices[index] as number
        return cellOf(oneOf[pair] as number) + (otherOf[pair] as number) + 1
      })
      const sum = (isMeant: (i: number, j: number) => boolean) =>
        moments
          .filter((_, cell) => isMeant(Math.floor(cell / (others.length + 1)) - 1, (cell % (others.length + 1)) - 1))
          .reduce(momentsTogether)
      const all = sum(() => true)
      const columns = others.map((_, j) => sum((__, other) => other === j))
      return ones.flatMap((__, i) => {
        const row = sum((level) => level === i)
        return columns.flatMap((column, j): readonly SharedChange[] => {
          const part = moments[cellOf(i) + j + 1] as UnitMoments
          const rests = [row, column, all].map((side) => momentsWithout(side, part))
          if (part.values < minSliceSamples || rests.some((rest) => rest.values < minSliceSamples)) return []
          const tests = rests.flatMap((rest) => partTestOf(part, rest) ?? [])
          if (tests.length < rests.length) return []
          const p = Math.max(...tests.flatMap((test) => [test.p, test.pOfZero]))
          const places = () => indices.filter((pair) => oneOf[pair] === i && otherOf[pair] === j)
          return [{ slices: [i, j], p, change: () => ({ ...change(places(), tests.at(-1) ?? null), p }) }]
        })
      })
    },
  }
}

/** The number of the part that each place is in; −1 for none. */
function numbered(parts: readonly Int32Array[], length: number): Int16Array {
  const of = new Int16Array(length).fill(-1)
  for (const [number, part] of parts.entries()) for (const index of part) of[index] = number
  return of
}

function differencesOf(pairs: PairColumns, part: Int32Array) {
  const { baseline, candidate, units } = partOfColumns(pairs, part)
  return { units, differences: candidate.map((value, i) => value - (baseline[i] as number)) }
}

function partOfColumns(pairs: PairColumns, part: Int32Array) {
  const { of } = pairs.units()
  return {
    baseline: valuesAt(pairs.baseline.values, part),
    candidate: valuesAt(pairs.candidate.values, part),
    units: numberUnits(part.map((pair) => of[pair] as number)),
  }
}

function valuesAt(values: Float64Array, positions: Int32Array): Float64Array {
  return Float64Array.from(positions, (index) => values[index] as number)
}

/** Changes of time and cost as shares of the baseline's, slice by slice. */
export function performanceChanges(
  figure: "ttftMs" | "e2eMs" | "costUsd",
  { baseline, candidate, alpha }: ChangesOptions,
): (split: Split) => readonly (RawChange | null)[] {
  const columns = figurePairs(measuredPairs(baseline, candidate), figure, 0)
  const blocks = figure !== "costUsd" && columns.pairs.length > 0 ? turnBlocks(columns.pairs) : null
  const most = figure === "costUsd" ? dearestAnswers(baseline, candidate, columns) : undefined
  const ids = pairIds(columns.pairs)
  return (split) =>
    split(ids).map((part) => {
      if (part.length === 0) return null
      const inside = partOf(columns, part)
      const share =
        figure === "costUsd"
          ? sumShare(inside, alpha, most)
          : timeShare(inside, alpha, blocks && blocksOf(blocks, part))
      return {
        candidate: candidate.name,
        figure,
        before: mean(inside.before),
        after: mean(inside.after),
        difference: shareFigure(share),
        rest: null,
        p: share.p,
      }
    })
}

function partOf({ pairs, before, after }: FigurePairs, part: Int32Array): FigurePairs {
  return { pairs: pairsAt(pairs, part), before: valuesAt(before, part), after: valuesAt(after, part) }
}

/** The blocks of some of the pairs: a drift of the machine is the same for all of them. */
function blocksOf({ of, blocks, turns }: TurnBlocks, part: Int32Array): TurnBlocks {
  return { of: part.map((i) => of[i] as number), blocks, turns }
}

function shareFigure({ share, low, high, n, method }: PairedShare): Figure {
  return Number.isFinite(share) ? { status: "known", value: share, low, high, n, method } : unknown("it was 0 before")
}
