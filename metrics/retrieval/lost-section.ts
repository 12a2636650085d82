import type { AnyMetric, MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { tableData } from "../../src/core/report/table-data.ts"
import { lostSentence, lostTexts } from "../../src/words/metrics/retrieval.ts"
import { meanOfRows, reportSection, scoredVariants } from "../report-section.ts"
import type { LostRow } from "./lost-passages.ts"

type Entries = readonly RowEntry<LostRow>[]

/** The report's part of {@link lostPassages}: where passages were lost, and how good the answers are that went without. */
export function lostSection(
  name: string,
  answer: Pick<AnyMetric, "name" | "range" | "unit"> | null,
  variants: readonly MetricRowsOfVariant[],
  level: SummaryLevel = {},
): ReportSection | null {
  const results = scoredVariants<LostRow>(variants)
  if (results.length === 0) return null
  const answersOf = (entries: Entries): Figure => {
    const scored = entries.filter(({ row }) => row.answer !== null)
    if (scored.length === 0) return unknown(lostTexts.none)
    return meanOfRows(scored, (row) => row.answer ?? Number.NaN, level, answer?.range ?? [-Infinity, Infinity])
  }
  const lines = results.flatMap(({ variant, entries }) =>
    [...stagesOf(entries), null].map((stage) => {
      return { variant, stage, entries, own: entries.filter(({ row }) => row.lostAt === stage) }
    }),
  )
  const worst = results.flatMap(({ variant, entries }) => sentenceOf(variant, entries))
  const section = reportSection(
    "table",
    lostTexts.title(name),
    [lostTexts.definition, ...worst.map(({ sentence }) => sentence)],
    tableData(lines, [
      ["variant", ({ variant }) => variant],
      ["stage", ({ stage }) => stage ?? "(came through)"],
      ["answers lost here", ({ own }) => own.length],
      ["share", ({ entries, stage }) => meanOfRows(entries, ({ lostAt }) => Number(lostAt === stage), level), "share"],
      ...(answer
        ? [[`${answer.name} of them`, ({ own }: { own: Entries }) => answersOf(own), answer.unit] as const]
        : []),
    ]),
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
