import type { AnyMetric, MetricRow, RowEntry } from "../core/metric/metric.ts"
import { numberUnits, type UnitNumbers } from "../stats/resampling/units.ts"
import type { RowPair } from "./align.ts"
import { arrayView } from "./array-view.ts"
import { AnswerList } from "./columns/answer-list.ts"
import type { MetricRows } from "./columns/metric-rows.ts"
import { entriesAt, figureOf } from "./columns/scored-rows.ts"
import { failedAnswer } from "./count-failures.ts"
import { entryOf, unitKey } from "./entries.ts"

/** Pairs of rows of one metric, read by their numbers; see {@link RowPair}. */
export interface PairColumns {
  /** By sample id and repeat where they were aligned. */
  readonly answers: AnswerList
  readonly length: number
  readonly baseline: PairSide
  readonly candidate: PairSide
  /** What each pair is resampled with: its cluster, else its sample. */
  units(): UnitNumbers
}

/** The rows of one side. */
export interface PairSide {
  /** `value` of each row; NaN where there is none. */
  readonly values: Float64Array
  /** What the metric measured, or {@link failedAnswer}. */
  row(pair: number): unknown
  readonly entries: readonly RowEntry<unknown>[]
  /** The metric's figure over these rows; null where there is none. */
  figure(metric: AnyMetric): number | null
}

const cache = new WeakMap<readonly RowPair[], PairColumns>()

/** The columns behind a list of pairs: those that {@link alignedPairs} made it from, or its own, looked at once. */
export function pairsBehind(pairs: readonly RowPair[]): PairColumns {
  let columns = cache.get(pairs)
  if (columns?.length !== pairs.length) {
    columns = listedPairs(pairs)
    cache.set(pairs, columns)
  }
  return columns
}

/**
 * Where the rows of pairs are: by place on each side, below 0 for an answer that failed (see {@link failedPlace}); null: pair i is of
 * the rows at i.
 */
export interface PairPlaces {
  readonly baseline: Int32Array | null
  readonly candidate: Int32Array | null
  /** A row may stand in several pairs. */
  readonly isRepeated?: boolean
}

/** The place of a row that failed, as a number below −1; a row that is not there is −1. It is its own inverse. */
export function failedPlace(index: number): number {
  return -2 - index
}

/**
 * Pairs of the rows of two sides, as a list whose elements are made when they are read.
 *
 * @param worst what an answer that failed counts as
 */
export function alignedPairs(
  baseline: MetricRows,
  candidate: MetricRows,
  places: PairPlaces,
  worst: number | null = null,
): readonly RowPair[] {
  const answers = answersOf(baseline, candidate, places)
  const sides = {
    baseline: sideOf(baseline, places, "baseline", answers, worst),
    candidate: sideOf(candidate, places, "candidate", answers, worst),
  }
  const columns: PairColumns = { answers, length: answers.length, ...sides, units: () => answers.units() }
  const rowAt = (rows: MetricRows, side: Int32Array | null, pair: number): MetricRow => {
    const index = side ? (side[pair] as number) : pair
    if (index >= 0) return rows.at(index)
    const measured = { status: "scored", row: failedAnswer } as const
    return { sampleId: answers.ids[pair] as string, repeat: answers.repeat(pair), measured, value: worst }
  }
  const view = arrayView(answers.length, (pair): RowPair => {
    const cluster = answers.clusterAt(pair)
    return {
      sampleId: answers.ids[pair] as string,
      repeat: answers.repeat(pair),
      baseline: rowAt(baseline, places.baseline, pair),
      candidate: rowAt(candidate, places.candidate, pair),
      ...(cluster !== undefined && { cluster }),
    }
  })
  cache.set(view, columns)
  return view
}

/** The answers that are paired, each with the cluster that either side knows. */
function answersOf(baseline: MetricRows, candidate: MetricRows, places: PairPlaces): AnswerList {
  const [first, second] = [baseline.answers, candidate.answers]
  if (places.baseline === null && (first === second || second.splitAt === null)) return first
  const length = places.baseline?.length ?? baseline.length
  const at = (side: Int32Array | null, pair: number) => {
    const index = side ? (side[pair] as number) : pair
    return index < -1 ? failedPlace(index) : index
  }
  const ids: string[] = []
  const repeats = new Int32Array(length)
  for (let pair = 0; pair < length; pair++) {
    const index = at(places.baseline, pair)
    const [list, own] = index === -1 ? [second, at(places.candidate, pair)] : [first, index]
    ids.push(list.ids[own] as string)
    // A row that stands in several pairs has a number of its own in each.
    const isNext = places.isRepeated && ids[pair] === ids[pair - 1]
    repeats[pair] = isNext ? (repeats[pair - 1] as number) + 1 : places.isRepeated ? 0 : list.repeat(own)
  }
  const clusterAt = (pair: number) => {
    const [a, b] = [at(places.baseline, pair), at(places.candidate, pair)]
    const own = a >= 0 ? first.clusterAt(a) : undefined
    return own ?? (b >= 0 ? second.clusterAt(b) : undefined)
  }
  const splitAt = (pair: number) => {
    const cluster = clusterAt(pair)
    return cluster === undefined ? undefined : { cluster }
  }
  return new AnswerList({
    ids,
    repeats: repeats.some((repeat) => repeat !== 0) ? repeats : null,
    splitAt: first.splitAt || second.splitAt ? splitAt : null,
  })
}

function sideOf(
  rows: MetricRows,
  { isRepeated = false, ...sides }: PairPlaces,
  side: "baseline" | "candidate",
  answers: AnswerList,
  worst: number | null,
): PairSide {
  const positions = sides[side]
  const hasFailed = positions?.some((index) => index < 0) ?? false
  const own = entriesAt(rows, positions)
  const entries = !hasFailed
    ? own
    : arrayView(answers.length, (pair): RowEntry<unknown> => {
        if ((positions?.[pair] ?? 0) >= 0) return own[pair] as RowEntry<unknown>
        return { row: failedAnswer, sampleId: answers.ids[pair] as string, repeat: answers.repeat(pair) }
      })
  return {
    values: positions ? valuesAt(rows.values, positions, worst) : rows.values,
    row(pair) {
      const index = positions ? (positions[pair] as number) : pair
      return index < 0 ? failedAnswer : rows.row(index)
    },
    entries,
    // Where these are all rows of the variant, its figure is known already.
    figure: (metric) =>
      !hasFailed && !isRepeated && answers.length === rows.scored
        ? figureOf(metric, rows)
        : metric.summarise(entries).value,
  }
}

function valuesAt(values: Float64Array, positions: Int32Array, worst: number | null): Float64Array {
  return Float64Array.from(positions, (index) => (index < 0 ? (worst ?? Number.NaN) : (values[index] as number)))
}

/** Pairs that are objects already, in whatever order. */
function listedPairs(pairs: readonly RowPair[]): PairColumns {
  const isSplit = pairs.some(({ cluster }) => cluster !== undefined)
  const answers = new AnswerList({
    ids: pairs.map(({ sampleId }) => sampleId),
    repeats: pairs.some(({ repeat }) => repeat !== 0) ? Int32Array.from(pairs, ({ repeat }) => repeat) : null,
    splitAt: isSplit ? (pair) => pairs[pair] : null,
  })
  let units: UnitNumbers | null = null
  return {
    answers,
    length: pairs.length,
    baseline: listedSide(pairs, "baseline"),
    candidate: listedSide(pairs, "candidate"),
    units: () => (units ??= numberUnits(pairs.map(unitKey))),
  }
}

function listedSide(pairs: readonly RowPair[], side: "baseline" | "candidate"): PairSide {
  const entries = pairs.map((pair) => entryOf(pair[side]))
  return {
    values: Float64Array.from(pairs, (pair) => pair[side].value ?? Number.NaN),
    row: (pair) => entries[pair]?.row,
    entries,
    figure: (metric) => metric.summarise(entries).value,
  }
}
