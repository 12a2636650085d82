import { unknown } from "../../src/core/report/figure.ts"
import type { ReportInput, RunReport, VariantReport } from "../../src/core/report/report.ts"
import { answerColumns, type VariantColumn, variantColumns } from "../view-model/variant-columns.ts"
import { type AnswerRow, answerRows } from "./answer-row.ts"
import { buffered, type Write } from "./write.ts"

/** A number, or a text that somebody else wrote. */
export type CsvCell = string | number | null

/**
 * One row per variant: name, model, then value, interval bounds and n of every column, in base units (ms, bytes, USD).
 * RFC 4180, CRLF line ends; unknown figures are empty with their reason in the column `… unknown`.
 */
export function renderCsv(report: RunReport, exact = false): string {
  const columns: readonly Pick<VariantColumn, "id" | "figure" | "second">[] = [
    ...variantColumns(report),
    ...answeredColumns(report),
    ...(report.variants.some(({ text }) => text) ? answerColumns : []),
  ]
  const header: CsvCell[] = ["variant", "model", "provider", "quantization", "baseline"]
  for (const { id, second } of columns) {
    header.push(id, `${id} low`, `${id} high`, `${id} n`, `${id} unknown`)
    if (second) header.push(`${id} p99`)
  }
  const rows = report.variants.map((variant) => {
    const row: CsvCell[] = [
      variant.name,
      variant.model,
      variant.provider,
      variant.quantization,
      String(variant.baseline),
    ]
    for (const column of columns) {
      const figure = column.figure(variant)
      if (figure.status === "known") row.push(figure.value, figure.low ?? null, figure.high ?? null, figure.n, null)
      else row.push(null, null, null, null, figure.reason)
      const second = column.second?.(variant)
      if (second) row.push(second.status === "known" ? second.value : null)
    }
    return row
  })
  return [header, ...rows].map((row) => csvLine(row, exact)).join("")
}

/** The metrics over what was answered, where some variant's figure counts failures. */
function answeredColumns({ metrics, variants }: RunReport): readonly Pick<VariantColumn, "id" | "figure">[] {
  const of = ({ quality }: VariantReport, metric: string) =>
    quality.find((qualityFigure) => qualityFigure.metric === metric)
  return metrics
    .filter(({ name }) => variants.some((variant) => of(variant, name)?.answered))
    .map(({ name }) => ({
      id: `${name} answered`,
      figure(variant) {
        const figures = of(variant, name)
        return figures?.answered ?? figures?.figure ?? unknown("the metric has no figure")
      },
    }))
}

/** One row per answer, in plan order, with a column per metric. */
export async function renderAnswersCsv(input: ReportInput, write: Write, exact = false): Promise<void> {
  const metrics = input.report.metrics.map((metric) => metric.name)
  const out = buffered(write)
  const fields =
    "sampleId repeat variant group outcome source input text ttftMs e2eMs tpotMs serverQueueMs serverPrefillMs serverDecodeMs serverRestMs promptTokens completionTokens costUsd retries failure"
  const names = fields.split(" ") as (keyof PlainFields)[]
  await out.push(csvLine([...names, ...metrics]))
  for await (const row of answerRows(input))
    await out.push(
      csvLine([...names.map((name) => row[name]), ...metrics.map((metric) => row.values[metric] ?? null)], exact),
    )
  await out.end()
}

/**
 * One line of CSV. Texts that a spreadsheet would run as a formula get an apostrophe in front (OWASP's rule: a first
 * character of = + - @, their full-width forms, tab or a line break, also behind blanks and invisible characters); our own numbers stay numbers.
 *
 * @param exact every text as it came: for programs, and not for spreadsheets
 * @example csvLine(["=1+1", -1, null]) // "\"'=1+1\",-1,\r\n"
 */
export function csvLine(cells: readonly CsvCell[], exact = false): string {
  return `${cells.map((cell) => csvCell(cell, exact)).join(",")}\r\n`
}

type PlainFields = Omit<AnswerRow, "copyOf" | "references" | "values" | "unscored">

function csvCell(cell: CsvCell, exact: boolean): string {
  if (cell === null) return ""
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : ""
  const formula = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(cell)
  const safe = formula && !exact ? `'${cell}` : cell
  return /[",\r\n;\t']/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe
}
