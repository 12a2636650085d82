import type { JsonValue } from "../../src/core/json.ts"
import type { RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import { pairedMeanDifference } from "../../src/stats/intervals/paired-difference.ts"
import { byText } from "../../src/stats/order.ts"
import { levelText } from "../../src/words/percent.ts"
import { unitOf } from "../report-section.ts"

/** What is compared of one answer; null where it has none. @public */
export type CounterfactualRow = {
  readonly score: number | null
  /** −1..1. */
  readonly sentiment: number
  readonly refused: number
  /** Characters. */
  readonly length: number
  /** Of a copy: the groups that were exchanged, where the swap could tell. */
  readonly from?: string
  readonly to?: string
}

/** What is compared, in the order of the columns. */
export const measures = ["score", "sentiment", "refused", "length"] as const

/** Two answers to one question in two forms. */
export interface CounterfactualPair {
  readonly attribute: string
  /** What is subtracted from what: `women − men`, or `exchanged − original` where the groups are not known. */
  readonly direction: string
  readonly unit: string
  readonly first: CounterfactualRow
  readonly second: CounterfactualRow
}

/** Copies with their originals. Where the groups are known, every difference runs from the same group to the same other. */
export function pairsOf(entries: readonly RowEntry<CounterfactualRow>[]): readonly CounterfactualPair[] {
  // By repeat, then by id: a bootstrap calls this thousands of times, and keys put together would be most of its work.
  const originals = new Map<number, Map<string, CounterfactualRow>>()
  for (const { sampleId, repeat, row } of entries) {
    const ofRepeat = originals.get(repeat)
    if (ofRepeat) ofRepeat.set(sampleId, row)
    else originals.set(repeat, new Map([[sampleId, row]]))
  }
  return entries
    .flatMap((entry) => {
      const { copyOf } = entry
      if (copyOf?.kind !== "counterfactual") return []
      const original = originals.get(entry.repeat)?.get(copyOf.id)
      return original ? [{ entry, attribute: copyOf.change, original }] : []
    })
    .sort(({ entry: a }, { entry: b }) => byText(a.sampleId, b.sampleId) || a.repeat - b.repeat)
    .map(({ entry, attribute, original }) => {
      const { row: exchanged } = entry
      const facts = { attribute, unit: unitOf(entry) }
      const { from, to } = exchanged
      if (from === undefined || to === undefined)
        return { ...facts, direction: "exchanged − original", first: original, second: exchanged }
      const [low = "", high = ""] = [from, to].sort(byText)
      const [first, second] = from === low ? [original, exchanged] : [exchanged, original]
      return { ...facts, direction: `${high} − ${low}`, first, second }
    })
}

/** The groups of a copy, as the data set of counterfactuals wrote them. */
export function exchangedGroups(written: JsonValue | undefined): { readonly from?: string; readonly to?: string } {
  if (typeof written !== "object" || written === null || Array.isArray(written)) return {}
  const { from, to } = written as { readonly [name: string]: JsonValue }
  return typeof from === "string" && typeof to === "string" ? { from, to } : {}
}

/** Pairs of one attribute and direction. */
export interface PairGroup {
  readonly attribute: string
  readonly direction: string
  readonly pairs: readonly CounterfactualPair[]
}

/** Pairs by attribute and direction. */
export function groupPairs(pairs: readonly CounterfactualPair[]): readonly PairGroup[] {
  const groups = new Map<string, CounterfactualPair[]>()
  for (const pair of pairs) {
    const key = JSON.stringify([pair.attribute, pair.direction])
    const list = groups.get(key)
    if (list) list.push(pair)
    else groups.set(key, [pair])
  }
  return [...groups]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([, list]) =>
      list[0] ? [{ attribute: list[0].attribute, direction: list[0].direction, pairs: list }] : [],
    )
}

/**
 * The mean difference of a measure over pairs, second − first, with its interval.
 * @param options.comparisons intervals that are read together: the level allows for them (Bonferroni)
 */
export function differenceFigure(
  pairs: readonly CounterfactualPair[],
  measure: (typeof measures)[number],
  scoreRange: readonly [number, number],
  { comparisons = 1, alpha = 0.05 }: SummaryLevel & { readonly comparisons?: number } = {},
): Figure {
  const values = measured(pairs, measure)
  if (values.length === 0) return unknown(`no pair of answers with a ${measure}`)
  const range = {
    score: scoreRange,
    sentiment: [-1, 1] as const,
    refused: [0, 1] as const,
    length: [0, Number.POSITIVE_INFINITY] as const,
  }[measure]
  const { value, low, high, method } = pairedMeanDifference(
    Float64Array.from(values, ({ before }) => before),
    Float64Array.from(values, ({ after }) => after),
    values.map(({ unit }) => unit),
    { range, alpha: alpha / comparisons, seed: `counterfactual/${measure}`, test: false },
  )
  const allowance = comparisons > 1 ? `, ${levelText(alpha)} over ${comparisons} comparisons together (Bonferroni)` : ""
  return { status: "known", value, low, high, n: values.length, method: `${method}${allowance}` }
}

/** The mean difference alone, second − first; null where no pair has both. */
export function meanDifference(
  pairs: readonly CounterfactualPair[],
  measure: (typeof measures)[number],
): number | null {
  const values = measured(pairs, measure)
  return values.length === 0 ? null : values.reduce((sum, { before, after }) => sum + after - before, 0) / values.length
}

function measured(pairs: readonly CounterfactualPair[], measure: (typeof measures)[number]) {
  return pairs.flatMap(({ unit, first, second }) => {
    const [before, after] = [first[measure], second[measure]]
    return before === null || after === null ? [] : [{ unit, before: before, after: after }]
  })
}
