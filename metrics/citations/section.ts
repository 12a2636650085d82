import type { MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import type { KnownFigure } from "../../src/core/report/figure.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { type TableColumn, tableData } from "../../src/core/report/table-data.ts"
import { citationPrecisionSentence, citationRecallSentence, citationTitles } from "../../src/words/metrics/citations.ts"
import { meanOfRows, reportSection, scoredVariants } from "../report-section.ts"
import type { CitationRow } from "./citation-row.ts"

type Value = (row: CitationRow) => number

/** The report's part of citation recall: what share of the sentences is cited at all, and supported. */
export function recallSection(
  name: string,
  recall: Value,
  variants: readonly MetricRowsOfVariant[],
  level?: SummaryLevel,
): ReportSection | null {
  const lines = scoredVariants<CitationRow>(variants).map(({ variant, entries }) => {
    const figure = meanOfRows(entries, recall, level)
    return { variant, entries, figure, rate: meanOfRows(entries, (row) => row.uncited / row.sentences, level) }
  })
  return citationSection(citationTitles.recall(name), citationRecallSentence, lines, [
    [citationTitles.supported, ({ figure }) => figure, "share"],
    ["sentences without a citation", ({ rate }) => rate, "share"],
    ["sentences", ({ entries }) => sum(entries, ({ sentences }) => sentences)],
  ])
}

/** The report's part of citation precision: which citations help, which are not needed, which are invented. */
export function precisionSection(
  name: string,
  precision: Value,
  variants: readonly MetricRowsOfVariant[],
  level?: SummaryLevel,
): ReportSection | null {
  const lines = scoredVariants<CitationRow>(variants).map(({ variant, entries }) => {
    const figure = meanOfRows(entries, precision, level)
    return { variant, entries, figure, rate: meanOfRows(entries, ({ invented }) => Number(invented > 0), level) }
  })
  return citationSection(citationTitles.precision(name), citationPrecisionSentence, lines, [
    ["citations that help", ({ figure }) => figure, "share"],
    ["citations", ({ entries }) => sum(entries, ({ citations }) => citations)],
    ["not needed", ({ entries }) => sum(entries, ({ unneeded }) => unneeded)],
    [
      "of unsupported sentences",
      ({ entries }) => sum(entries, ({ citations, precise, unneeded }) => citations - precise - unneeded),
    ],
    [citationTitles.invented, ({ rate }) => rate, "share"],
  ])
}

type Entries = readonly RowEntry<CitationRow>[]

interface Line {
  readonly variant: string
  readonly entries: Entries
  readonly figure: KnownFigure
  readonly rate: KnownFigure
}

/** A section with a row and a sentence for each variant that has answers; null where none has. */
function citationSection(
  title: string,
  sentence: typeof citationRecallSentence,
  lines: readonly Line[],
  columns: readonly TableColumn<Line>[],
): ReportSection | null {
  if (lines.length === 0) return null
  const sentences = lines.map(({ variant, figure, rate }) => sentence(variant, figure.value, rate.value))
  const data = tableData(lines, [
    ["variant", ({ variant }) => variant],
    ["answers", ({ entries }) => entries.length],
    ...columns,
  ])
  return reportSection("citations", title, sentences, data)
}

function sum(entries: Entries, value: Value): number {
  return entries.reduce((all, { row }) => all + value(row), 0)
}
