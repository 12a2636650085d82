import type { RunReport } from "../../../src/core/report/report.ts"
import { answerMarks } from "../../page/payload.ts"
import { answersOf, type RowStore } from "./rows.ts"

/** A filter as a chip: which samples it lets through. */
export interface Chip {
  readonly id: string
  readonly title: string
  readonly explain: string
}

/** The filters that make sense for a run. */
export function chipsOf(report: RunReport, store: RowStore): Chip[] {
  const marked = store.index.answers.marks.reduce((sum, bits) => sum | bits, 0)
  return [
    { id: "", title: "all", explain: "every sample in this file" },
    ...(report.comparisons.length > 0
      ? [
          { id: "flipped", title: "flipped", explain: "right for one and wrong for the other" },
          { id: "broke", title: "what broke", explain: "right for the baseline and wrong for the other" },
        ]
      : []),
    {
      id: "wrong",
      title: "wrong somewhere",
      explain: "at least one variant has the lowest value of the deciding metric",
    },
    { id: "failed", title: "failed", explain: "at least one request has no usable answer" },
    { id: "slow", title: "slowest 1 %", explain: "an answer among the slowest 1 % of its variant" },
    { id: "unscored", title: "unscored", explain: "an answer without a value of the deciding metric" },
    ...markChips.filter((chip) => marked & answerMarks[chip.id]),
  ]
}

const markChips: readonly (Chip & { readonly id: keyof typeof answerMarks })[] = [
  {
    id: "disputed",
    title: "judges disagree",
    explain: "the judges' scores of one answer differ by half of the scale or more",
  },
  { id: "unsupported", title: "unsupported claim", explain: "a claim that no source supports, marked in the answer" },
  { id: "leak", title: "personal data", explain: "personal data or a secret, marked in the answer" },
  {
    id: "surprising",
    title: "surprising sentence",
    explain: "a sentence of a given text that surprised the model half again as much as the rest, marked in the text",
  },
]

/** What a reader wants to see. */
export interface SampleFilter extends Narrowing {
  readonly chip: string
  /** Variants that `flipped` compares: one (empty: any) with another (empty: the baseline). */
  readonly of: string
  readonly versus: string
  readonly group: string
  readonly order: string
}

/** Positions of the samples that a filter lets through, in its order. */
export function matching(report: RunReport, store: RowStore, filter: SampleFilter): number[] {
  const { index } = store
  const group = index.groups.indexOf(filter.group)
  const test = chipTest(report, store, filter)
  const isNarrow = narrowingTest(store, filter, decidingName(report))
  const matches: number[] = []
  for (let sample = 0; sample < index.sampleIds.length; sample++)
    if ((group < 0 || index.groupOf[sample] === group) && test(sample) && (!isNarrow || isNarrow(sample)))
      matches.push(sample)
  const key = orderKey(report, store, filter.order)
  if (!key) return matches
  const keys = new Map(matches.map((sample) => [sample, key(sample)]))
  return matches.sort((a, b) => (keys.get(b) as number) - (keys.get(a) as number) || a - b)
}

/** The value of the deciding metric of an answer; null when there is none. */
export function decidingValue(report: RunReport, store: RowStore, answer: number): number | null {
  return store.index.answers.values[decidingIndex(report, store)]?.[answer] ?? null
}

function chipTest(report: RunReport, store: RowStore, filter: SampleFilter): (sample: number) => boolean {
  const { index } = store
  const { answers } = index
  const some = (test: (answer: number) => boolean) => (sample: number) => answersOf(store, sample).some(test)
  const values = answers.values[decidingIndex(report, store)] ?? []
  switch (filter.chip) {
    case "flipped":
    case "broke": {
      const sign = isBetterLow(report) ? -1 : 1
      const isFlip = (loss: number) =>
        filter.chip === "broke" ? sign * loss >= flipSize(report) : Math.abs(loss) >= flipSize(report)
      const defaultSort = report.variants.find((variant) => variant.baseline)?.name ?? ""
      const baseline = index.variants.indexOf(filter.versus === "" ? defaultSort : filter.versus)
      const other = index.variants.indexOf(filter.of)
      return (sample) => {
        const reference = variantValue(store, values, sample, baseline)
        return some((answer) => {
          const variant = answers.variant[answer]
          if (variant === baseline || (other >= 0 && variant !== other)) return false
          const value = values[answer] ?? null
          return reference !== null && value !== null && isFlip(reference - value)
        })(sample)
      }
    }
    case "wrong": {
      const worst = values.reduce(
        (low: number, value) => (value !== null && value < low ? value : low),
        Number.POSITIVE_INFINITY,
      )
      return some((answer) => values[answer] === worst)
    }
    case "failed":
      return some((answer) => !/^(ok|length)$/.test(index.outcomes[answers.outcome[answer] as number] ?? ""))
    case "slow": {
      const limits = index.variants.map((_, variant) =>
        slowLimit(answers.e2eMs.filter((_, answer) => answers.variant[answer] === variant)),
      )
      return some((answer) => (answers.e2eMs[answer] ?? -1) >= (limits[answers.variant[answer] as number] as number))
    }
    case "unscored":
      return some((answer) => values[answer] == null)
    case "disputed":
    case "unsupported":
    case "leak":
    case "surprising": {
      const bit = answerMarks[filter.chip]
      return some((answer) => ((answers.marks[answer] ?? 0) & bit) !== 0)
    }
    default:
      return () => true
  }
}

function orderKey(report: RunReport, store: RowStore, order: string): ((sample: number) => number) | null {
  const { index } = store
  const values = index.answers.values[decidingIndex(report, store)] ?? []
  const each = (sample: number, read: (answer: number) => number | null | undefined) =>
    answersOf(store, sample).flatMap((answer) => read(answer) ?? [])
  const worst = Number.NEGATIVE_INFINITY
  if (order === "slow") return (sample) => Math.max(worst, ...each(sample, (answer) => index.answers.e2eMs[answer]))
  if (order === "low") return (sample) => -Math.min(Number.MAX_VALUE, ...each(sample, (answer) => values[answer]))
  if (order === "spread")
    return (sample) => {
      const all = each(sample, (answer) => values[answer])
      return all.length < 2 ? worst : Math.max(...all) - Math.min(...all)
    }
  return null
}

function decidingIndex(report: RunReport, store: RowStore): number {
  return store.index.metrics.indexOf(decidingName(report))
}

/** The metric that the list of samples shows; empty where there is none. */
export function decidingName(report: RunReport): string {
  return report.metrics.find((metric) => metric.primary)?.name ?? report.metrics[0]?.name ?? ""
}

function isBetterLow(report: RunReport): boolean {
  return report.metrics.find((metric) => metric.primary)?.direction === "lower"
}

/** Half the range of the deciding metric: from wrong to right where values are 0 or 1. */
function flipSize(report: RunReport): number {
  const [low, high] = report.metrics.find((metric) => metric.primary)?.range ?? [0, 1]
  return low === null || high === null ? 0.5 : (high - low) / 2
}

function variantValue(
  store: RowStore,
  values: readonly (number | null)[],
  sample: number,
  variant: number,
): number | null {
  const answer = answersOf(store, sample).find((own) => store.index.answers.variant[own] === variant)
  return answer === undefined ? null : (values[answer] ?? null)
}

function slowLimit(times: readonly (number | null)[]): number {
  const sorted = times.filter((time) => time !== null).sort((a, b) => a - b)
  return sorted.length === 0 ? Number.POSITIVE_INFINITY : (sorted[Math.floor(sorted.length * 0.99)] as number)
}

/** What one answer of a sample must have, as the address holds it; an empty text asks nothing. */
export interface Narrowing {
  /** Variant whose answer it must be. */
  readonly by: string
  /** Outcome in which its request ended. */
  readonly ended: string
  /** Metric whose value lies between `from` and `to`. */
  readonly metric: string
  readonly from: string
  readonly to: string
  /** Fewest and most tokens of the answer. */
  readonly minTokens: string
  readonly maxTokens: string
}

/** The keys of {@link Narrowing}, with their values where nothing is asked. */
export const noNarrowing: Narrowing = { by: "", ended: "", metric: "", from: "", to: "", minTokens: "", maxTokens: "" }

/** Whether a sample has an answer with everything that is asked; null where nothing is asked. */
export function narrowingTest(
  store: RowStore,
  narrowing: Narrowing,
  decidingMetric: string,
): ((sample: number) => boolean) | null {
  const { index } = store
  const { answers } = index
  const tests: ((answer: number) => boolean)[] = []
  const outcome = index.outcomes.indexOf(narrowing.ended)
  if (outcome >= 0) tests.push((answer) => answers.outcome[answer] === outcome)
  const values = answers.values[index.metrics.indexOf(narrowing.metric || decidingMetric)] ?? []
  const inRange = between(narrowing.from, narrowing.to)
  if (inRange) tests.push((answer) => inRange(values[answer] ?? null))
  const isSoLong = between(narrowing.minTokens, narrowing.maxTokens)
  if (isSoLong) tests.push((answer) => isSoLong(answers.tokens[answer] ?? null))
  if (tests.length === 0) return null
  const variant = index.variants.indexOf(narrowing.by)
  if (variant >= 0) tests.unshift((answer) => answers.variant[answer] === variant)
  return (sample) => answersOf(store, sample).some((answer) => tests.every((test) => test(answer)))
}

/** Whether a known value lies between two limits, both included; null where neither is a number. */
function between(low: string, high: string): ((value: number | null) => boolean) | null {
  const from = limitOf(low) ?? Number.NEGATIVE_INFINITY
  const to = limitOf(high) ?? Number.POSITIVE_INFINITY
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return null
  return (value) => value !== null && value >= from && value <= to
}

function limitOf(text: string): number | null {
  const value = Number(text)
  return text.trim() === "" || !Number.isFinite(value) ? null : value
}

/** Orders in which samples are listed. */
export const orders = [
  { value: "", title: "as planned" },
  { value: "low", title: "lowest value first" },
  { value: "spread", title: "most disputed first" },
  { value: "slow", title: "slowest first" },
] as const
