import type { JsonValue } from "../src/core/json.ts"
import type { MetricRowsOfVariant, OtherReadings } from "../src/core/metric/metric.ts"
import type { ReportSection } from "../src/core/report/report-sections.ts"
import { tableData } from "../src/core/report/table-data.ts"
import { meanFigure } from "../src/stats/intervals/mean-interval.ts"
import { mean } from "../src/stats/mean.ts"
import { reportSection, scoredRows, unitOf } from "./report-section.ts"

/** A form in which an answer says of itself that it is one. @experimental */
export type ReadingForm = (typeof forms)[number]
const forms = ["field", "mark", "bare"] as const

/** What an answer was read as, and whether it is right by each reading. @experimental */
export interface ReadingRow {
  /** 1 or 0: by the first rule that finds an answer. */
  readonly value: number
  /** The same by the last number, wherever it stands and either way where it has two meanings; of options also by the second rule that finds one. */
  readonly lenient: number
  /** The same by the first thing in a form that says that it is the answer. */
  readonly strict: number
  /** That form: a field (a JSON member, \boxed{}), a mark ("####", "The answer is"), nothing but the answer; null where it has none of them. */
  readonly form: ReadingForm | null
  /** The rule that found what was read; null where nothing was. */
  readonly rule: string | null
  /** What was read, at most 80 characters. */
  readonly read: string | null
}

/** Which reading of an answer is the metric's figure; see {@link ReadingRow}. @public */
export type ReadingChoice = "first" | "strict" | "lenient"

/** The value of a row by a reading, where the form of the other answers is not known. */
export function readingValue(row: ReadingRow, choice: ReadingChoice = "first"): number {
  return choice === "strict" ? row.strict : choice === "lenient" ? row.lenient : row.value
}

/** The values by the strict and the lenient reading; null where they agree on every answer. */
export function otherReadingsOf(rows: readonly unknown[]): OtherReadings | null {
  if (!rows.every(isReadingRow)) return null
  const form = formOf(rows)
  const strict = rows.map((row) => (form === null ? row.value : row.form === form ? row.strict : 0))
  const lenient = rows.map((row) => row.lenient)
  const twoWays = strict.filter((value, i) => value !== lenient[i]).length
  return twoWays === 0 ? null : { values: { strict, lenient }, twoWays }
}

/** The form that half of the answers have, or more. */
function formOf(rows: readonly ReadingRow[]): ReadingForm | null {
  return forms.find((form) => rows.filter((row) => row.form === form).length * 2 >= rows.length) ?? null
}

/** The figure by both readings, and how many answers are read in two ways; undefined where the readings agree. */
export function readingDetails(rows: readonly ReadingRow[]): Record<string, JsonValue> | undefined {
  const read = otherReadingsOf(rows)
  if (read === null) return undefined
  const { strict = [], lenient = [] } = read.values
  return {
    strict: { value: mean(strict), form: formOf(rows) },
    lenient: { value: mean(lenient) },
    twoWays: read.twoWays,
  }
}

/** Share of answers that are read in two ways from which on a report warns of it. */
const notable = 0.01

/** The section of answers that can be read in two ways: the figure by each reading. Null where there are none. */
export function readingsSection(metric: string, variants: readonly MetricRowsOfVariant[]): ReportSection | null {
  const results = variants.flatMap((variant) => {
    const entries = scoredRows<ReadingRow>(variant).filter(({ row }) => isReadingRow(row))
    const rows = entries.map(({ row }) => row)
    return rows.length === 0 ? [] : [{ variant: variant.variant, rows, units: entries.map(unitOf) }]
  })
  const read = results.map(({ rows }) => otherReadingsOf(rows))
  const maximum = read.reduce((max, reading, i) => ((reading?.twoWays ?? 0) > (read[max]?.twoWays ?? 0) ? i : max), 0)
  const { twoWays = 0 } = read[maximum] ?? {}
  if (twoWays === 0) return null
  const { variant, rows } = results[maximum] as (typeof results)[number]
  const lines = results.map(({ rows, ...line }, i) => {
    const own = rows.map(({ value }) => value)
    return { ...line, own, strict: own, lenient: own, ...read[i]?.values, twoWays: read[i]?.twoWays ?? 0 }
  })
  const data = tableData(lines, [
    ["variant", ({ variant }) => variant],
    ["answers", ({ own }) => own.length],
    ["read in two ways", ({ twoWays }) => twoWays],
    ["strict reading", ({ strict, units }) => meanFigure(strict, units), "share"],
    ["first reading", ({ own, units }) => meanFigure(own, units), "share"],
    ["lenient reading", ({ lenient, units }) => meanFigure(lenient, units), "share"],
  ])
  const sentence = `${twoWays} of ${rows.length} answers of ${variant} are read in two ways by ${metric}`
  const sentences = [
    `${sentence}.`,
    "Strict takes the first number or label of the form that most answers have, and counts answers without it as wrong; lenient takes the last number or another label, wherever it stands. A verdict that turns with the reading is inconclusive.",
  ]
  const section = reportSection("unread_answers", `Answers read in two ways: ${metric}`, sentences, data)
  return twoWays >= notable * rows.length ? { ...section, caution: sentence } : section
}

function isReadingRow(row: unknown): row is ReadingRow {
  return typeof row === "object" && row !== null && "strict" in row && "lenient" in row
}
