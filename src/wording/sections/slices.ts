import type { AnyMetric } from "../../core/metric/metric.ts"
import { figureValue } from "../../core/report/figure.ts"
import type { SliceChange, SlicesData } from "../../core/report/section-slices.ts"
import { between, signed, wordingOf } from "../../words/difference.ts"
import { listed, spoken } from "../../words/names.ts"
import { count, counted } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { levelText } from "../../words/percent.ts"

/** Slices of a kind that a sentence names. */
const mostNamed = 4

/** Drops that are named though nothing is proven. */
const maxDrops = 3

/** A slice that moved, with where it stands. */
interface Moved {
  readonly slice: string
  readonly samples: number
  readonly change: SliceChange
}

/** Which slices moved, the largest first; then what was tested, and what is not shown. */
export function slicesSentences(data: SlicesData, metrics: readonly AnyMetric[], alpha: number): readonly string[] {
  const single = data.axes.flatMap(({ title, slices }) =>
    slices.flatMap(({ slice, samples, changes }) =>
      changes.map((change): Moved => ({ slice: `${title} ${slice}`, samples, change })),
    ),
  )
  const isMetric = ({ change }: Moved) => metrics.some(({ name }) => name === change.figure)
  const ofMetrics = single.filter(isMetric)
  const moved = [...(data.shared ?? []), ...ofMetrics].filter(({ change }) => change.moved !== null)
  const candidates = [...new Set(single.map(({ change }) => change.candidate))]
  return [
    ...candidates.flatMap((candidate) =>
      (["worse", "better"] as const).flatMap((way) => {
        const own = moved.filter(({ change }) => change.candidate === candidate && change.moved === way)
        return own.length === 0 ? [] : [movedSentence(candidate, data.baseline, way, own, metrics)]
      }),
    ),
    ...candidates.flatMap((candidate) =>
      moved.some(({ change }) => change.candidate === candidate && change.moved === "worse")
        ? []
        : dropsSentence(candidate, ofMetrics, metrics),
    ),
    ...testedSentence(ofMetrics, moved.length, data, alpha),
    ...smallSentence(data),
    ...data.axes.flatMap(({ note }) => note ?? []),
    ...data.leftOut.map(({ axis, reason }) => `Not sliced: ${axis}, because ${reason}.`),
  ]
}

function movedSentence(
  candidate: string,
  baseline: string,
  way: "worse" | "better",
  own: readonly Moved[],
  metrics: readonly AnyMetric[],
): string {
  const sorted = own.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.change.p ?? 1) - (b.change.p ?? 1))
  const named = sorted.slice(0, mostNamed).map(({ slice, samples, change }) => {
    const metric = metrics.find(({ name }) => name === change.figure) as AnyMetric
    const of = metrics.length > 1 ? ` in ${spoken(metric)}` : ""
    const rest = change.rest === null ? "" : ` where the rest has ${signed(change.rest, wordingOf(metric))}`
    return `${slice}${of} (${differenceOf(change, metric)}${rest}; ${counted(samples, "sample")}, adjusted ${pValue(change.pAdjusted ?? 1)})`
  })
  const more = sorted.length - named.length
  return `${candidate} is ${way} than ${baseline} on ${listed([...named, ...(more > 0 ? [`${more} more`] : [])])}.`
}

/** Drops to look at, where none is more than chance. */
function dropsSentence(candidate: string, all: readonly Moved[], metrics: readonly AnyMetric[]): readonly string[] {
  const [metric] = metrics
  if (!metric) return []
  const sign = metric.direction === "higher" ? -1 : 1
  const lossOf = ({ change }: Moved) => sign * ((figureValue(change.difference) ?? 0) - (change.rest ?? 0))
  const drops = all
    .filter(({ change }) => change.candidate === candidate && change.figure === metric.name && change.p !== null)
    .filter((one) => lossOf(one) > 0 && sign * (figureValue(one.change.difference) ?? 0) > 0)
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

function differenceOf({ difference }: SliceChange, metric: AnyMetric): string {
  return signed(figureValue(difference) ?? 0, wordingOf(metric))
}

function sizeOf({ change }: Moved): number {
  return Math.abs(figureValue(change.difference) ?? 0)
}

function testedSentence(all: readonly Moved[], moved: number, { axes }: SlicesData, alpha: number): readonly string[] {
  const tested = all.filter(({ change }) => change.p !== null).length
  if (tested === 0) return []
  const what = `${counted(tested, "difference")} of slices along ${counted(axes.length, "axis").replace("axiss", "axes")}`
  const rate = `each was tested against the rest of the samples${axes.length > 1 ? ", what two fields share as well" : ""}; of those that are said to have moved, at most ${levelText(1 - alpha)} did not, on average (Benjamini and Hochberg)`
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
  shared: (one: string, other: string) => `${one} and ${other}`,
  title: "Slices of the samples",
} as const

/** Whose scores the difficulty of samples is read from. */
export function difficultyNote(variants: number, runs: readonly string[], metric: string): string {
  return `Difficulty is what ${counted(variants, "variant")} of ${runs.length === 1 ? `run ${runs[0]}` : `${runs.length} earlier runs`} scored in ${metric}; none of them is compared here.`
}
