import type { Generation } from "../../src/core/generation.ts"
import {
  type Measured,
  type Metric,
  type MetricRow,
  type RowEntry,
  scored,
  unscored,
} from "../../src/core/metric/metric.ts"
import type { Sample } from "../../src/core/sample.ts"
import { isUnspaced } from "../../src/text/language.ts"
import { type ComparingCounts, comparingWords } from "../../src/words/metrics/comparing.ts"
import { reportSection, scoredRows } from "../report-section.ts"

/** Which texts count as equal, as Unicode Standard Annex 15 has it. @public */
export interface UnicodeOption {
  /**
   * `canonical`: é as one code point or as two is the same (NFC). `compatibility`: so are ligatures, full-width letters and other forms (NFKC),
   * letters with and without invisible characters between them, straight and curly quotes, and İ is I. `none`: code points as they are.
   */
  readonly unicode?: "none" | "canonical" | "compatibility"
}

/** What a metric states of how it compares an answer with its references. */
export interface Comparison extends UnicodeOption {
  /** What compares texts without blanks between words, where the metric compares what stands between blanks. Absent: it does not. */
  readonly instead?: string | undefined
  /** Whether such texts have a figure nevertheless, as the outside reference gives one, with a note. Default: they are unscored (`language`). */
  readonly isReference?: boolean
}

/** A row with what its value hangs on. */
interface MarkedRow<Row> {
  readonly row: Row
  /** `letters`: the value would be another one if other forms of letters were equal. `unspaced`: the words of the reference cannot be found. */
  readonly marks: readonly ("letters" | "unspaced")[]
}

const forms = {
  none: (text: string) => text,
  canonical: (text: string) => text.normalize("NFC"),
  compatibility: (text: string) =>
    text
      .normalize("NFKC")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .replace(/[‘’‚‛′]/g, "'")
      .replace(/[“”„‟″]/g, '"')
      .replace(/İ/g, "I"),
}

/**
 * The metric, which measures texts in the form that is stated, and marks the answers whose value hangs on the form of letters or whose words it
 * cannot find: the one place where these are decided. The details say how many (`notes`).
 */
export function comparing<Row>(comparison: Comparison, metric: Metric<Row>): Metric<Row> {
  const { unicode = "none", instead, isReference = false } = comparison
  const { aggregation, parts, readings, section } = metric
  return {
    ...metric,
    signature:
      unicode === "none"
        ? metric.signature
        : metric.signature.replace(/\|version:[^|]*$/, (version) => `|unicode:${unicode}${version}`),
    measure(sample, generation, tools) {
      const { references } = sample
      const isBlind = instead !== undefined && references.length > 0 && references.every(isUnspaced)
      if (isBlind && !isReference) return unscored("language", comparingWords.unspaced("reference", instead))
      const as = (form: keyof typeof forms) => metric.measure(...inForm(sample, generation, forms[form]), tools)
      const measured = as(unicode)
      const hangs = unicode !== "compatibility" && hasOtherForm(sample, generation)
      if (!hangs && !isBlind) return measured
      const other = hangs ? as("compatibility") : measured
      const mark = (own: Measured<Row>, loose: Measured<Row>) => {
        if (own.status !== "scored" || loose.status !== "scored") return own
        const differs = metric.value(own.row) !== metric.value(loose.row)
        return differs || isBlind ? scored(marked(own.row, differs, isBlind)) : own
      }
      return measured instanceof Promise || other instanceof Promise
        ? Promise.all([measured, other]).then(([own, loose]) => mark(own, loose))
        : mark(measured, other)
    },
    value: (row) => metric.value(plain(row)),
    ...(aggregation.kind === "sum" && {
      aggregation: { ...aggregation, vector: (row, into, offset) => aggregation.vector(plain(row), into, offset) },
    }),
    ...(parts && { parts: (row) => parts(plain(row)) }),
    ...(readings && { readings: (rows) => readings(rows.map(plain)) }),
    summarise(entries, level) {
      const counts = countsOf(entries)
      if (counts === null) return metric.summarise(entries, level)
      const summary = metric.summarise(entries.map(plainEntry), level)
      return { ...summary, details: { ...(summary.details as object), notes: comparingWords.notes(counts, instead) } }
    },
    section(variants, level) {
      const all = variants.map((variant) => ({ variant: variant.variant, counts: countsOf(scoredRows<Row>(variant)) }))
      const results = all.flatMap(({ variant, counts }) => (counts === null ? [] : [{ variant, counts }]))
      if (results.length === 0) return section?.(variants, level) ?? null
      const own = section?.(
        variants.map((variant) => ({ ...variant, rows: variant.rows.map(plainMeasured) })),
        level,
      )
      if (own) return own
      const sentences = results.flatMap(({ variant, counts }) =>
        comparingWords.notes(counts, instead).map((note) => `${metric.name} of ${variant}: ${note}.`),
      )
      return {
        ...reportSection("unread_answers", comparingWords.title(metric.name), sentences, {
          columns: comparingWords.columns.map((title) => ({ title })),
          rows: results.map(({ variant, counts }) => [variant, counts.scored, counts.lettersDiffer, counts.unspaced]),
        }),
        caution: sentences[0] as string,
      }
    },
  }
}

/** How many rows have which mark; null where none has one. */
function countsOf(entries: readonly { readonly row: unknown }[]): ComparingCounts | null {
  let [lettersDiffer, unspaced] = [0, 0]
  for (const { row } of entries) {
    if (!isMarked(row)) continue
    if (row.marks.includes("letters")) lettersDiffer++
    if (row.marks.includes("unspaced")) unspaced++
  }
  return lettersDiffer + unspaced === 0 ? null : { scored: entries.length, lettersDiffer, unspaced }
}

function inForm(sample: Sample, generation: Generation, form: (text: string) => string): [Sample, Generation] {
  const text = form(generation.text)
  const references = sample.references.map(form)
  const isSame = text === generation.text && references.every((reference, i) => reference === sample.references[i])
  return isSame
    ? [sample, generation]
    : [
        { ...sample, references },
        { ...generation, text },
      ]
}

function hasOtherForm({ references }: Sample, { text }: Generation): boolean {
  return [text, ...references].some((part) => /[^\x00-\x7f]/.test(part) && forms.compatibility(part) !== part)
}

/** Rows are opaque to everybody but their own metric, which takes the marks off. */
function marked<Row>(row: Row, differs: boolean, isBlind: boolean): Row {
  const marks = [...(differs ? (["letters"] as const) : []), ...(isBlind ? (["unspaced"] as const) : [])]
  return { row, marks } satisfies MarkedRow<Row> as unknown as Row
}

function isMarked(row: unknown): row is MarkedRow<never> {
  return typeof row === "object" && row !== null && "marks" in row
}

function plain<Row>(row: Row): Row {
  return isMarked(row) ? row.row : row
}

function plainEntry<Row>(entry: RowEntry<Row>): RowEntry<Row> {
  return isMarked(entry.row) ? { ...entry, row: plain(entry.row) } : entry
}

function plainMeasured(row: MetricRow): MetricRow {
  const { measured } = row
  return measured.status === "scored" && isMarked(measured.row)
    ? { ...row, measured: scored(plain(measured.row)) }
    : row
}
