import type { MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import type { KnownFigure } from "../../src/core/report/figure.ts"
import type { ReportSection, TableData } from "../../src/core/report/report-sections.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
import { citationPrecisionSentence, citationRecallSentence, citationTitles } from "../../src/words/metrics/citations.ts"
import { reportSection, scoredRows, unitOf } from "../report-section.ts"
import type { CitationRow } from "./citation-row.ts"

type Value = (row: CitationRow) => number

/** The report's part of citation recall: what share of the sentences is cited at all, and supported. */
export function recallSection(
  name: string,
  recall: Value,
  variants: readonly MetricRowsOfVariant[],
  level?: SummaryLevel,
): ReportSection | null {
  const columns = [
    { title: "variant" },
    { title: "answers" },
    { title: citationTitles.supported, unit: "share" },
    { title: "sentences without a citation", unit: "share" },
    { title: "sentences" },
  ]
  return citationSection(citationTitles.recall(name), columns, variants, (variant, entries) => {
    const supported = meanFigure(entries, recall, level)
    const uncited = meanFigure(entries, (row) => row.uncited / row.sentences, level)
    return {
      row: [variant, entries.length, supported, uncited, sum(entries, ({ sentences }) => sentences)],
      sentence: citationRecallSentence(variant, supported.value, uncited.value),
    }
  })
}

/** The report's part of citation precision: which citations help, which are not needed, which are invented. */
export function precisionSection(
  name: string,
  precision: Value,
  variants: readonly MetricRowsOfVariant[],
  level?: SummaryLevel,
): ReportSection | null {
  const columns = [
    { title: "variant" },
    { title: "answers" },
    { title: "citations that help", unit: "share" },
    { title: "citations" },
    { title: "not needed" },
    { title: "of unsupported sentences" },
    { title: citationTitles.invented, unit: "share" },
  ]
  return citationSection(citationTitles.precision(name), columns, variants, (variant, entries) => {
    const helping = meanFigure(entries, precision, level)
    const inventing = meanFigure(entries, ({ invented }) => Number(invented > 0), level)
    const counts = [
      sum(entries, ({ citations }) => citations),
      sum(entries, ({ unneeded }) => unneeded),
      sum(entries, ({ citations, precise, unneeded }) => citations - precise - unneeded),
    ]
    return {
      row: [variant, entries.length, helping, ...counts, inventing],
      sentence: citationPrecisionSentence(variant, helping.value, inventing.value),
    }
  })
}

/** A section with a row and a sentence for each variant that has answers; null where none has. */
function citationSection(
  title: string,
  columns: TableData["columns"],
  variants: readonly MetricRowsOfVariant[],
  lineOf: (variant: string, entries: Entries) => { readonly row: TableData["rows"][number]; readonly sentence: string },
): ReportSection | null {
  const lines = variants.flatMap((variant) => {
    const entries = scoredRows<CitationRow>(variant)
    return entries.length === 0 ? [] : [lineOf(variant.variant, entries)]
  })
  if (lines.length === 0) return null
  const sentences = lines.map(({ sentence }) => sentence)
  return reportSection("citations", title, sentences, { columns, rows: lines.map(({ row }) => row) })
}

type Entries = readonly RowEntry<CitationRow>[]

function meanFigure(entries: Entries, value: Value, { alpha }: SummaryLevel = {}): KnownFigure {
  const values = entries.map(({ row }) => value(row))
  const { value: mean, low, high, method } = meanInterval(values, entries.map(unitOf), [0, 1], alpha)
  return { status: "known", value: mean, low, high, n: entries.length, method }
}

function sum(entries: Entries, value: Value): number {
  return entries.reduce((all, { row }) => all + value(row), 0)
}
