import type { AnyMetric } from "../../../core/metric/metric.ts"
import type { ScoredVariant } from "../../../core/metric/scored-variant.ts"
import type { Figure } from "../../../core/report/figure.ts"
import type { ReportSection } from "../../../core/report/report-sections.ts"
import type {
  SharedSlice,
  SliceChange,
  SliceRow,
  SlicesData,
  SlicesOfAxis,
} from "../../../core/report/section-slices.ts"
import { toJson } from "../../../core/report/to-json.ts"
import type { Evaluation } from "../../../core/run/evaluation.ts"
import { numbersWhere } from "../../../rows/align.ts"
import { adjustP } from "../../../stats/tests/multiple-tests.ts"
import { axisWords, slicesSentences } from "../../../wording/sections/slices.ts"
import { noSlices } from "../../../wording/slices/reasons.ts"
import type { ReadAxes } from "./read-axes.ts"
import type { SamplePositions } from "./sample-positions.ts"
import type { SliceAxis } from "./slice-axis.ts"
import {
  minSliceSamples,
  performanceChanges,
  type QualityChanges,
  qualityChanges,
  type RawChange,
  type SharedChange,
  type Split,
} from "./slice-changes.ts"
import { sliceLevels } from "./slice-levels.ts"

/** Metrics that a section has room for. */
const maxMetrics = 4

/** What slices are made from. */
export interface SlicesSectionOptions {
  readonly baseline: ScoredVariant
  readonly candidates: readonly ScoredVariant[]
  readonly read: ReadAxes
  readonly evaluation: Pick<Evaluation, "metrics" | "primary" | "alpha" | "seed" | "missing">
  /** Whether the config names the slices: what cannot be shown is then said. */
  readonly isAskedFor: boolean
}

/** Quality, time and cost by slices of the samples, and which slices moved. Null where no axis has two slices. */
export function slicesSection(options: SlicesSectionOptions): ReportSection | null {
  const { baseline, candidates, read, evaluation, isAskedFor } = options
  const { alpha, seed } = evaluation
  const { metrics, leftOut } = slicedMetrics(evaluation)
  const merged = read.axes.map((axis) => withoutSmall(axis))
  const axes = merged.filter(({ axis }) => axis.slices.length > 1)
  const tooSmall = merged
    .filter(({ axis }) => axis.slices.length < 2)
    .map(({ axis }) => ({ axis: axis.axis, reason: noSlices.fewSlices(minSliceSamples) }))
  const missing = [...(isAskedFor ? [...read.leftOut, ...tooSmall] : []), ...leftOut]
  if (!isAskedFor && metrics.length === 0) return null
  if (axes.length === 0 && (!isAskedFor || missing.length === 0)) return null
  const variants = [baseline, ...candidates]
  // A longer prompt is read before the first token: along its length, that time is what moves.
  const isByContext = axes.some(({ axis: { axis } }) => axis.replace(/^metadata\./, "") === "contextTokens")
  const ofCandidates = candidates.map((candidate) => {
    const from = { baseline, candidate, alpha, seed, missing: evaluation.missing }
    return { from, quality: metrics.map((metric) => qualityChanges(metric, from)) }
  })
  const changesOf = ofCandidates.flatMap(({ from, quality }) => {
    return [
      ...quality.map(({ ofSlices }) => ofSlices),
      ...(isByContext ? [performanceChanges("ttftMs", from)] : []),
      performanceChanges("e2eMs", from),
      performanceChanges("costUsd", from),
    ]
  })
  const figures: SlicesData["figures"] = [
    ...metrics.map(({ name, title, unit = null, direction }) => ({
      name,
      unit,
      direction,
      ...(title !== undefined && { title }),
    })),
    ...(isByContext ? [{ name: "ttftMs", unit: "ms", direction: "lower" as const }] : []),
    { name: "e2eMs", unit: "ms", direction: "lower" as const },
    { name: "costUsd", unit: "usd", direction: "lower" as const },
  ]
  const positionsOf = positionReader(read.positions)
  const raw = axes.map(({ axis, small }) => {
    const split = splitBy(axis, positionsOf)
    const counts = countSlices(axis)
    const levels = variants.map((variant) => ({
      variant: variant.name,
      at: sliceLevels(variant, metrics, split, { ...evaluation, withFirstToken: isByContext }),
    }))
    const changes = changesOf.map((of) => of(split))
    return {
      axis,
      small,
      rows: axis.slices.map((slice, index) => ({
        slice,
        samples: counts[index] ?? 0,
        levels: levels.map(({ variant, at }) => ({ variant, figures: at[index] ?? [] })),
        changes: changes.flatMap((all) => all[index] ?? []),
      })),
    }
  })
  const crossed = crossedAxes(axes.map(({ axis }) => axis)).flatMap(([left, right]) =>
    ofCandidates.flatMap(({ from: { candidate }, quality: [first] }) =>
      (first?.ofShared(splitBy(left, positionsOf), splitBy(right, positionsOf)) ?? []).map((shared) => ({
        left,
        right,
        shared,
        candidate: candidate.name,
        figure: (first as QualityChanges).figure,
        p: shared.p,
      })),
    ),
  )
  const adjust = adjuster(
    [...raw.flatMap(({ rows }) => rows.flatMap(({ changes }) => changes)), ...crossed],
    figures,
    alpha,
  )
  const sliced = raw.map(
    ({ axis, small, rows }): SlicesOfAxis => ({
      axis: axis.axis,
      title: axis.title,
      note: axis.note,
      small,
      slices: rows.map(
        (row): SliceRow => ({
          ...row,
          changes: row.changes.map((change) => adjust.change(change, adjust.pOf(change))),
        }),
      ),
    }),
  )
  const shared = sharedSlices(crossed, sliced, { adjust, figures, alpha })
  const data: SlicesData = {
    baseline: baseline.name,
    figures,
    axes: sliced,
    ...(shared.length > 0 && { shared }),
    ...(crossed.length > 0 && { sharedTests: crossed.length }),
    leftOut: missing,
  }
  return {
    kind: "slices",
    title: axisWords.title,
    sentences: slicesSentences(data, metrics, alpha),
    data: toJson(data),
  }
}

/** Two slices of which a cell is what they share. */
interface CrossedCell {
  readonly left: SliceAxis
  readonly right: SliceAxis
  readonly shared: SharedChange
  readonly candidate: string
  readonly figure: string
  readonly p: number
}

/** Cells that moved; where nothing of a candidate did, its losses that chance makes in `alpha` of all cells, the clearest first. */
function sharedSlices(
  crossed: readonly CrossedCell[],
  axes: readonly SlicesOfAxis[],
  { adjust, figures, alpha }: { adjust: ReturnType<typeof adjuster>; figures: SlicesData["figures"]; alpha: number },
): readonly SharedSlice[] {
  const isLoss = ({ difference }: SliceChange) => changeOf(difference) < 0 === (figures[0]?.direction === "higher")
  const all = axes.flatMap(({ slices }) => slices.flatMap(({ changes }) => changes))
  const withMoves = new Set(
    all.flatMap(({ moved, candidate, figure }) => (moved === null || figure !== figures[0]?.name ? [] : [candidate])),
  )
  const open = new Map<string, number>()
  return crossed
    .filter(({ p }) => p <= alpha)
    .sort((a, b) => a.p - b.p)
    .flatMap((cell): readonly SharedSlice[] => {
      const { left, right, shared } = cell
      const pAdjusted = adjust.pOf(cell)
      const isOpen = pAdjusted === null || pAdjusted > alpha
      if (isOpen && (withMoves.has(cell.candidate) || (open.get(cell.candidate) ?? 0) === maxOpen)) return []
      const change = adjust.change(shared.change(), pAdjusted)
      if (change.moved !== null) withMoves.add(cell.candidate)
      else if (!isOpen || !isLoss(change)) return []
      else open.set(cell.candidate, (open.get(cell.candidate) ?? 0) + 1)
      const [a, b] = shared.slices
      const slice = axisWords.shared(`${left.title} ${left.slices[a]}`, `${right.title} ${right.slices[b]}`)
      return [{ slice, axes: [left.axis, right.axis], samples: sharedSamples(left, a, right, b), change }]
    })
}

/** Losses of what two fields share that are kept without proof, of each candidate. */
const maxOpen = 3

/** Metrics that decide and have a value a sample; of the others, why they are not sliced. */
function slicedMetrics({ metrics, primary }: SlicesSectionOptions["evaluation"]) {
  const deciding = primary.flatMap((name) => metrics.find((metric) => metric.name === name) ?? [])
  const sliced = deciding.filter(({ aggregation }) => aggregation.kind === "mean")
  const leftOut = deciding
    .filter((metric) => !sliced.includes(metric))
    .map(({ name }) => ({
      axis: name,
      reason: noSlices.noMean,
    }))
  return { metrics: sliced.slice(0, maxMetrics) as readonly AnyMetric[], leftOut }
}

/** Slices of too few samples become one; where they are too few together, they are left out. */
function withoutSmall(axis: SliceAxis): { readonly axis: SliceAxis; readonly small: SlicesOfAxis["small"] } {
  const counts = countSlices(axis)
  const isSmall = (index: number) => (counts[index] ?? 0) < minSliceSamples
  const small = axis.slices.flatMap((_, index) => (isSmall(index) ? [index] : []))
  const samples = small.reduce((sum, index) => sum + (counts[index] ?? 0), 0)
  const pooled = small.length > 1 && samples >= minSliceSamples
  if (small.length === 0) return { axis, small: { slices: 0, samples: 0, pooled: false } }
  const kept = axis.slices.flatMap((_, index) => (isSmall(index) ? [] : [index]))
  const positions = new Map(kept.map((index, i) => [index, i]))
  const rest = pooled ? kept.length : -1
  return {
    axis: {
      ...axis,
      slices: [
        ...kept.map((index) => axis.slices[index] as string),
        ...(pooled ? [`other (${small.length} small slices)`] : []),
      ],
      of: axis.of.map((index) => (index < 0 ? -1 : (positions.get(index) ?? rest))),
    },
    small: { slices: small.length, samples, pooled },
  }
}

function countSlices({ slices, of }: SliceAxis): Int32Array {
  const counts = new Int32Array(slices.length)
  for (const index of of) if (index >= 0) counts[index]! += 1
  return counts
}

function sharedSamples(sliceAxis: SliceAxis, slice: number, other: SliceAxis, otherSlice: number): number {
  return sliceAxis.of.filter((index, position) => index === slice && other.of[position] === otherSlice).length
}

function splitBy({ slices, of }: SliceAxis, positionsOf: (sampleIds: readonly string[]) => Int32Array): Split {
  return (sampleIds) => {
    const sliceOf = positionsOf(sampleIds).map((position) => of[position] ?? -1)
    return slices.map((_, slice) => numbersWhere(sliceOf.length, (index) => sliceOf[index] === slice))
  }
}

/** The positions of the samples of a list, which are found once for all axes; −1 for one that is not in the data set. */
function positionReader(positions: SamplePositions): (sampleIds: readonly string[]) => Int32Array {
  const cache = new Map<readonly string[], Int32Array>()
  return (sampleIds) => {
    const indices = cache.get(sampleIds) ?? Int32Array.from(sampleIds, (id) => positions.get(id) ?? -1)
    cache.set(sampleIds, indices)
    return indices
  }
}

/**
 * Benjamini and Hochberg over all slices and candidates: one family for the metrics, one for time, one for cost. Slices overlap, which
 * makes their tests depend on each other positively; the procedure holds its rate then, too.
 */
function adjuster(all: readonly Tested[], figures: SlicesData["figures"], alpha: number) {
  const adjusted = new Map<Tested, number>()
  const familyOf = ({ figure }: Tested) =>
    figure === "costUsd" ? "cost" : figure === "ttftMs" || figure === "e2eMs" ? "time" : "quality"
  for (const family of new Set(all.map(familyOf))) {
    const tested = all.filter((entry) => familyOf(entry) === family && entry.p !== null)
    adjustP(
      tested.map(({ p }) => p as number),
      "fdr_bh",
    ).forEach((p, i) => {
      adjusted.set(tested[i] as Tested, p)
    })
  }
  const isHigherBetter = new Map(figures.map(({ name, direction }) => [name, direction === "higher"]))
  return {
    pOf: (entry: Tested) => adjusted.get(entry) ?? null,
    change(rawChange: RawChange, pAdjusted: number | null): SliceChange {
      const change = changeOf(rawChange.difference)
      const beside = change - (rawChange.rest ?? 0)
      // Better than the rest, and worse than before, is neither.
      const isMoved = pAdjusted !== null && pAdjusted <= alpha && change * beside > 0
      const isBetter = change > 0 === isHigherBetter.get(rawChange.figure)
      return { ...rawChange, pAdjusted, moved: isMoved ? (isBetter ? "better" : "worse") : null }
    },
  }
}

/** What is adjusted together. */
type Tested = Pick<RawChange, "figure" | "p">

/** Fields that are crossed, two by two, at most. */
const maxCrossed = 5

/** The fields of the samples that are crossed, two by two: no measures of theirs. */
export function crossedAxes(axes: readonly SliceAxis[]): readonly (readonly [SliceAxis, SliceAxis])[] {
  const fields = axes
    .filter(({ axis }) => !["promptLength", "answerLength", "difficulty"].includes(axis))
    .slice(0, maxCrossed)
  return fields.flatMap((field, i) => fields.slice(i + 1).map((other) => [field, other] as const))
}

function changeOf(figure: Figure): number {
  return figure.status === "known" ? figure.value : 0
}
