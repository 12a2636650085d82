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
import { type PartTest, partTest } from "../../../stats/tests/part-test.ts"
import { type PairedShare, sumShare, timeShare } from "../../compare/changes.ts"
import { type TurnBlocks, turnBlocks } from "../../compare/turns.ts"

/** Samples below which a slice says nothing by itself. */
export const fewestSamples = 10

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
 * three, so that neither slice alone explains it.
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
  const known = numbersWhere(pairs.length, hasValues)
  const ids = pairs.answers.ids
  const test = (part: ReadonlySet<number>, all: Int32Array) => {
    const { units, ...sides } = partOfColumns(pairs, all)
    const differences = sides.candidate.map((value, i) => value - (sides.baseline[i] as number))
    return partTest(differences, units, (place) => part.has(all[place] as number))
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
      p: tested?.p ?? null,
    }
  }
  const partsOf = (split: Split) => split(ids).map((all) => all.filter(hasValues))
  return {
    candidate: candidate.name,
    figure: metric.name,
    ofSlices: (split) =>
      partsOf(split).map((part) => (part.length === 0 ? null : change(part, test(new Set(part), known)))),
    ofShared(first, second) {
      const others = partsOf(second)
      return partsOf(first).flatMap((one, i) => {
        const inOne = new Set(one)
        return others.flatMap((other, j): readonly SharedChange[] => {
          const part = other.filter((place) => inOne.has(place))
          const rest = Math.min(one.length, other.length) - part.length
          if (part.length < fewestSamples || rest < fewestSamples) return []
          const places = new Set(part)
          const tests = [one, other, known].map((all) => test(places, all))
          const ps = tests.flatMap((found) => found?.p ?? [])
          if (ps.length < tests.length) return []
          const p = Math.max(...ps)
          return [{ slices: [i, j], p, change: () => ({ ...change(part, tests[2] ?? null), p }) }]
        })
      })
    },
  }
}

function partOfColumns(pairs: PairColumns, part: Int32Array) {
  const { of } = pairs.units()
  return {
    baseline: valuesAt(pairs.baseline.values, part),
    candidate: valuesAt(pairs.candidate.values, part),
    units: numberUnits(part.map((pair) => of[pair] as number)),
  }
}

function valuesAt(values: Float64Array, places: Int32Array): Float64Array {
  return Float64Array.from(places, (place) => values[place] as number)
}

/** Changes of time and cost as shares of the baseline's, slice by slice. */
export function performanceChanges(
  figure: "ttftMs" | "e2eMs" | "costUsd",
  { baseline, candidate, alpha }: ChangesOptions,
): (split: Split) => readonly (RawChange | null)[] {
  const known = figurePairs(measuredPairs(baseline, candidate), figure, 0)
  const blocks = figure !== "costUsd" && known.pairs.length > 0 ? turnBlocks(known.pairs) : null
  const ids = pairIds(known.pairs)
  return (split) =>
    split(ids).map((part) => {
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
