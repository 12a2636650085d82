import type { AnyMetric, MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
import { lostSentence, lostTexts } from "../../src/words/metrics/retrieval.ts"
import { reportSection, scoredRows, unitOf } from "../report-section.ts"
import type { LostRow } from "./lost-passages.ts"

type Entries = readonly RowEntry<LostRow>[]

/** The report's part of {@link lostPassages}: where passages were lost, and how good the answers are that went without. */
export function lostSection(
  name: string,
  answer: Pick<AnyMetric, "name" | "range" | "unit"> | null,
  variants: readonly MetricRowsOfVariant[],
  { alpha }: SummaryLevel = {},
): ReportSection | null {
  const found = variants.flatMap((variant) => {
    const entries = scoredRows<LostRow>(variant)
    return entries.length === 0 ? [] : [{ variant: variant.variant, entries }]
  })
  if (found.length === 0) return null
  const shareOf = (entries: Entries, is: (row: LostRow) => boolean): Figure =>
    meanOf(entries, ({ row }) => Number(is(row)), [0, 1], alpha)
  const answersOf = (entries: Entries): Figure => {
    const scored = entries.filter(({ row }) => row.answer !== null)
    if (scored.length === 0) return unknown(lostTexts.none)
    return meanOf(scored, ({ row }) => row.answer ?? Number.NaN, answer?.range ?? [-Infinity, Infinity], alpha)
  }
  const rows = found.flatMap(({ variant, entries }) =>
    [...stagesOf(entries), null].map((stage) => {
      const own = entries.filter(({ row }) => row.lostAt === stage)
      return [
        variant,
        stage ?? "(came through)",
        own.length,
        shareOf(entries, ({ lostAt }) => lostAt === stage),
        ...(answer ? [answersOf(own)] : []),
      ]
    }),
  )
  const worst = found.flatMap(({ variant, entries }) => sentenceOf(variant, entries))
  const section = reportSection(
    "table",
    lostTexts.title(name),
    [lostTexts.definition, ...worst.map(({ sentence }) => sentence)],
    {
      columns: [
        { title: "variant" },
        { title: "stage" },
        { title: "answers lost here" },
        { title: "share", unit: "share" },
        ...(answer
          ? [{ title: `${answer.name} of them`, ...(answer.unit !== undefined && { unit: answer.unit }) }]
          : []),
      ],
      rows,
    },
  )
  const losses = worst.flatMap(({ sentence, isLoss }) => (isLoss ? [sentence] : []))
  return { ...section, topic: "pipeline", ...(losses.length > 0 && { caution: losses.join(" ") }) }
}

/** Stages in the order in which answers name them. */
function stagesOf(entries: Entries): readonly string[] {
  return [...new Set(entries.flatMap(({ row }) => row.stages))]
}

function sentenceOf(
  variant: string,
  entries: Entries,
): readonly { readonly sentence: string; readonly isLoss: boolean }[] {
  const lost = new Map<string, number>()
  for (const { row } of entries) if (row.lostAt !== null) lost.set(row.lostAt, (lost.get(row.lostAt) ?? 0) + 1)
  const [worst] = [...lost].toSorted(([, a], [, b]) => b - a)
  if (!worst) return [{ sentence: lostSentence(variant, entries.length, null), isLoss: false }]
  const [stage, lostHere] = worst
  return [{ sentence: lostSentence(variant, entries.length, { stage, lost: lostHere }), isLoss: true }]
}

function meanOf(
  entries: Entries,
  value: (entry: RowEntry<LostRow>) => number,
  range: readonly [number, number],
  alpha: number | undefined,
): Figure {
  const { value: mean, low, high, method } = meanInterval(entries.map(value), entries.map(unitOf), range, alpha)
  return { status: "known", value: mean, low, high, n: entries.length, method }
}
