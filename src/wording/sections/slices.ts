import type { AnyMetric } from "../../core/metric/metric.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { SliceChange, SlicesData } from "../../core/report/section-slices.ts"
import type { MetricRecord } from "../../core/run/run-record.ts"
import { between, signed, wordingOf } from "../../words/difference.ts"
import { listed, metricTitle } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { levelText } from "../../words/percent.ts"

/** Slices of a kind that a sentence names. */
const maxNamed = 4

/** Drops that are named though nothing is proven. */
const maxDrops = 3

/** A slice that moved, with where it stands. */
interface Moved {
  readonly slice: string
  readonly samples: number
  readonly change: SliceChange
}

/** What a sentence on slices needs of a metric. */
type SlicedMetric = Pick<MetricRecord, "name" | "title" | "unit" | "range" | "direction">

/** Which slices moved, the largest first; then what was tested, and what is not shown. */
export function slicesSentences(data: SlicesData, metrics: readonly AnyMetric[], alpha: number): readonly string[] {
  const units = metrics.map(({ unit = null, ...metric }) => ({ ...metric, unit }))
  const all = changesOf(data, units)
  const candidates = [
    ...new Set(
      data.axes.flatMap(({ slices }) => slices.flatMap(({ changes }) => changes)).map(({ candidate }) => candidate),
    ),
  ]
  const lists = candidates.map((candidate) => slicesOfCandidate(data, candidate, units))
  return [
    ...lists.flatMap(({ moved }) => moved),
    ...lists.flatMap(({ drops }) => drops),
    ...testedSentence(data, all, alpha),
    ...smallSentence(data),
    ...data.axes.flatMap(({ note }) => note ?? []),
    ...data.leftOut.map(({ axis, reason }) => `Not sliced: ${axis}, because ${reason}.`),
  ]
}

/** What one candidate does to slices: a sentence of those that moved a way; where none got worse, one of the largest drops. */
export function slicesOfCandidate(
  data: SlicesData,
  candidate: string,
  all: readonly SlicedMetric[],
): { readonly moved: readonly string[]; readonly drops: readonly string[] } {
  const metrics = data.figures.flatMap(({ name }) => all.find((metric) => metric.name === name) ?? [])
  const own = changesOf(data, metrics).filter(({ change }) => change.candidate === candidate)
  const moved = (["worse", "better"] as const).flatMap((way) => {
    const changes = own.filter(({ change }) => change.moved === way)
    return changes.length === 0 ? [] : [movedSentence(candidate, data.baseline, way, changes, metrics)]
  })
  const isWorse = own.some(({ change }) => change.moved === "worse")
  return { moved, drops: isWorse ? [] : dropsSentence(candidate, own, metrics) }
}

/** The changes of metrics, those of two fields first. */
function changesOf({ axes, shared = [] }: SlicesData, metrics: readonly SlicedMetric[]): readonly Moved[] {
  const single = axes.flatMap(({ title, slices }) =>
    slices.flatMap(({ slice, samples, changes }) =>
      changes.map((change): Moved => ({ slice: `${title} ${slice}`, samples, change })),
    ),
  )
  return [...shared, ...single].filter(({ change }) => metrics.some(({ name }) => name === change.figure))
}

function movedSentence(
  candidate: string,
  baseline: string,
  way: "worse" | "better",
  own: readonly Moved[],
  metrics: readonly SlicedMetric[],
): string {
  const sorted = own.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.change.p ?? 1) - (b.change.p ?? 1))
  const named = sorted.slice(0, maxNamed).map(({ slice, samples, change }) => {
    const metric = metrics.find(({ name }) => name === change.figure) as SlicedMetric
    const of = metrics.length > 1 ? ` in ${metricTitle(metric)}` : ""
    const rest = change.rest === null ? "" : ` where the rest has ${signed(change.rest, wordingOf(metric))}`
    return `${slice}${of} (${differenceOf(change, metric)}${rest}; ${counted(samples, "sample")}, adjusted ${pValue(change.pAdjusted ?? 1)})`
  })
  const more = sorted.length - named.length
  return `${candidate} is ${way} than ${baseline} on ${listed([...named, ...(more > 0 ? [`${more} more`] : [])])}.`
}

/** Drops to look at, where none is more than chance. */
function dropsSentence(candidate: string, all: readonly Moved[], metrics: readonly SlicedMetric[]): readonly string[] {
  const [metric] = metrics
  if (!metric) return []
  const sign = metric.direction === "higher" ? -1 : 1
  const lossOf = ({ change }: Moved) => sign * ((figureValue(change.difference) ?? 0) - (change.rest ?? 0))
  const drops = all
    .filter(({ change }) => change.figure === metric.name && change.p !== null)
    .filter((entry) => lossOf(entry) > 0 && sign * (figureValue(entry.change.difference) ?? 0) > 0)
    .sort((a, b) => lossOf(b) - lossOf(a))
    .slice(0, maxDrops)
    .map(({ slice, samples, change }) => {
      const { difference } = change
      const { low = null, high = null } = difference.status === "known" ? difference : {}
      const interval = low === null || high === null ? "" : `, ${between(low, high, wordingOf(metric))}`
      return `${slice} (${differenceOf(change, metric)}${interval}, ${counted(samples, "sample")})`
    })
  return drops.length === 0
    ? []
    : [`The largest drops of ${candidate}, none beyond chance beside the rest: ${listed(drops)}.`]
}

function differenceOf({ difference }: SliceChange, metric: SlicedMetric): string {
  return signed(figureValue(difference) ?? 0, wordingOf(metric))
}

function sizeOf({ change }: Moved): number {
  return Math.abs(figureValue(change.difference) ?? 0)
}

function testedSentence(
  { axes, shared = [], sharedTests = 0 }: SlicesData,
  all: readonly Moved[],
  alpha: number,
): readonly string[] {
  const tested = all.filter(({ change }) => change.p !== null).length - shared.length + sharedTests
  if (tested === 0) return []
  const moved = all.filter(({ change }) => change.moved !== null).length
  const crossed = sharedTests === 0 ? "" : `, ${count(sharedTests)} of what two fields share`
  const what = `${counted(tested, "difference")} of slices along ${counted(axes.length, "axis").replace("axiss", "axes")}${crossed}`
  const rate = `each was tested against the rest of the samples and against no change; of those that are said to have moved, at most ${levelText(1 - alpha)} did not, on average (Benjamini and Hochberg)`
  return [
    moved === 0
      ? `No slice moved beyond chance: ${what}; ${rate}.`
      : `${count(moved)} moved, of ${what}; ${rate}. Intervals are of each slice alone.`,
  ]
}

function smallSentence({ axes }: SlicesData): readonly string[] {
  const words = axes.flatMap(({ title, small }) =>
    small.slices === 0
      ? []
      : [
          `${counted(small.slices, "slice")} of ${title} (${counted(small.samples, "sample")}) ${small.pooled ? "pooled" : "left out"}`,
        ],
  )
  return words.length === 0 ? [] : [`Slices of fewer than 10 samples: ${listed(words)}.`]
}

/** The axes by which samples are cut. */
export const axisWords = {
  answerLength: (baseline: string) =>
    `Answer length is that of ${baseline}: a variant's own is a consequence of the variant.`,
  noTokens: (baseline: string) => `no answer of ${baseline} has a token count`,
  upToHalf: "right in up to half",
  moreThanHalf: "right in more than half",
  shared: (first: string, second: string) => `${first} and ${second}`,
  title: "Slices of the samples",
} as const

/** Whose scores the difficulty of samples is read from. */
export function difficultyNote(variants: number, runs: readonly string[], metric: string): string {
  return `Difficulty is what ${counted(variants, "variant")} of ${runs.length === 1 ? `run ${runs[0]}` : `${runs.length} earlier runs`} scored in ${metric}; none of them is compared here.`
}
