import type { MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, figureValue } from "../../src/core/report/figure.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { meanInterval } from "../../src/stats/intervals/mean-interval.ts"
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
  const lines = linesOf(variants)
  if (lines.length === 0) return null
  const rows = lines.map(({ variant, entries }) => [
    variant,
    entries.length,
    meanFigure(entries, recall, level),
    meanFigure(entries, ({ uncited, sentences }) => uncited / sentences, level),
    sum(entries, ({ sentences }) => sentences),
  ])
  const columns = [
    { title: "variant" },
    { title: "answers" },
    { title: "sentences supported by what they cite", unit: "share" },
    { title: "sentences without a citation", unit: "share" },
    { title: "sentences" },
  ]
  const sentences = rows.map(
    ([variant, , supported, uncited]) =>
      `${variant}: ${percent(supported as Figure)} of an answer's sentences are supported by the passages that they cite; ${percent(uncited as Figure)} cite none.`,
  )
  return reportSection("citations", `Whether sentences rest on what they cite (${name})`, sentences, { columns, rows })
}

/** The report's part of citation precision: which citations help, which are not needed, which are invented. */
export function precisionSection(
  name: string,
  precision: Value,
  variants: readonly MetricRowsOfVariant[],
  level?: SummaryLevel,
): ReportSection | null {
  const lines = linesOf(variants)
  if (lines.length === 0) return null
  const rows = lines.map(({ variant, entries }) => [
    variant,
    entries.length,
    meanFigure(entries, precision, level),
    sum(entries, ({ citations }) => citations),
    sum(entries, ({ unneeded }) => unneeded),
    sum(entries, ({ citations, precise, unneeded }) => citations - precise - unneeded),
    meanFigure(entries, ({ invented }) => Number(invented > 0), level),
  ])
  const columns = [
    { title: "variant" },
    { title: "answers" },
    { title: "citations that help", unit: "share" },
    { title: "citations" },
    { title: "not needed" },
    { title: "of unsupported sentences" },
    { title: "answers that cite a passage which does not exist", unit: "share" },
  ]
  const sentences = rows.map(
    ([variant, , helping, , , , inventing]) =>
      `${variant}: ${percent(helping as Figure)} of an answer's citations help to support their sentence; ${percent(inventing as Figure)} of the answers cite a passage that does not exist.`,
  )
  return reportSection("citations", `Whether citations help (${name})`, sentences, { columns, rows })
}

type Entries = readonly RowEntry<CitationRow>[]

function linesOf(variants: readonly MetricRowsOfVariant[]): { variant: string; entries: Entries }[] {
  return variants.flatMap((variant) => {
    const entries = scoredRows<CitationRow>(variant)
    return entries.length === 0 ? [] : [{ variant: variant.variant, entries }]
  })
}

function meanFigure(entries: Entries, value: Value, { alpha }: SummaryLevel = {}): Figure {
  const values = entries.map(({ row }) => value(row))
  const { value: mean, low, high, method } = meanInterval(values, entries.map(unitOf), [0, 1], alpha)
  return { status: "known", value: mean, low, high, n: entries.length, method }
}

function sum(entries: Entries, value: Value): number {
  return entries.reduce((all, { row }) => all + value(row), 0)
}

function percent(figure: Figure): string {
  return `${((figureValue(figure) ?? 0) * 100).toFixed(0)} %`
}
