import type { MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import type { ConfusionData, ReportSection } from "../../src/core/report/report-sections.ts"
import { mcnemarExact } from "../../src/stats/tests/mcnemar.ts"
import { adjustP } from "../../src/stats/tests/multiple-tests.ts"
import { classTexts, confusionChangeSentence, confusionSentence } from "../../src/words/metrics/classification.ts"
import { meanOfRows, reportSection, scoredRows } from "../report-section.ts"
import { countsSize, figuresOf, type LabelRow, writeCounts } from "./confusion.ts"

type Entries = readonly RowEntry<LabelRow>[]

/** Changed confusions that are named, a variant. */
const maxChanges = 5

/** The sum of the counts of many rows. */
export function countsOf(entries: Entries, labels: number): Float64Array {
  const counts = new Float64Array(countsSize(labels))
  const sum = new Float64Array(counts.length)
  for (const { row } of entries) {
    writeCounts(row, labels, counts, 0)
    for (let i = 0; i < counts.length; i++) sum[i] = (sum[i] as number) + (counts[i] as number)
  }
  return sum
}

/** The report's part of a classification: confusion matrices, figures by class, and which confusions came or went. */
export function confusionSection(
  labels: readonly string[],
  variants: readonly MetricRowsOfVariant[],
  { alpha = 0.05 }: SummaryLevel = {},
): ReportSection | null {
  const results = variants.flatMap((variant) => {
    const entries = scoredRows<LabelRow>(variant)
    return entries.length === 0 ? [] : [{ variant: variant.variant, baseline: variant.baseline === true, entries }]
  })
  if (results.length === 0) return null
  const baseline = results.find((result) => result.baseline)
  const changes = baseline
    ? results.flatMap((result) => (result === baseline ? [] : changesOf(result, baseline, labels).slice(0, maxChanges)))
    : []
  const data: ConfusionData = {
    labels,
    variants: results.map(({ variant, entries }) => ({
      variant,
      counts: matrixOf(entries, labels.length),
      classes: classesOf(entries, labels.length, alpha),
    })),
    changes,
  }
  const sentences = [
    ...results.map(({ variant, entries }) => sentenceOf(variant, entries, labels)),
    ...changes.filter(({ p }) => p < alpha).map(confusionChangeSentence),
  ]
  return reportSection("confusion", classTexts.title, sentences, data)
}

function matrixOf(entries: Entries, labels: number): number[][] {
  const counts = Array.from({ length: labels }, () => new Array<number>(labels + 1).fill(0))
  for (const { row } of entries) {
    const line = counts[row.actual] as number[]
    const column = row.predicted < 0 ? labels : row.predicted
    line[column] = (line[column] as number) + 1
  }
  return counts
}

function classesOf(entries: Entries, labels: number, alpha: number): ConfusionData["variants"][number]["classes"] {
  return figuresOf(countsOf(entries, labels), labels).classes.map(({ f1 }, index) => ({
    precision: shareRight(
      entries.filter(({ row }) => row.predicted === index),
      classTexts.neverNamed,
      alpha,
    ),
    recall: shareRight(
      entries.filter(({ row }) => row.actual === index),
      classTexts.noSample,
      alpha,
    ),
    f1,
  }))
}

function shareRight(entries: Entries, none: string, alpha: number): Figure {
  if (entries.length === 0) return unknown(none)
  return meanOfRows(entries, ({ actual, predicted }) => Number(actual === predicted), { alpha })
}

/** What answers to the same samples are taken for by one variant and not by the other, the largest change first. */
function changesOf(
  { variant, entries }: { readonly variant: string; readonly entries: Entries },
  baseline: { readonly variant: string; readonly entries: Entries },
  labels: readonly string[],
): ConfusionData["changes"] {
  const key = ({ sampleId, repeat }: RowEntry<LabelRow>) => `${repeat} ${sampleId}`
  const before = new Map(baseline.entries.map((entry) => [key(entry), entry.row]))
  const cells = new Map<number, { actual: number; predicted: number; added: number; removed: number }>()
  const count = ({ actual, predicted }: LabelRow, change: "added" | "removed") => {
    if (actual === predicted) return
    const index = actual * (labels.length + 1) + predicted + 1
    const cell = cells.get(index) ?? { actual, predicted, added: 0, removed: 0 }
    cell[change]++
    cells.set(index, cell)
  }
  for (const entry of entries) {
    const old = before.get(key(entry))
    if (!old || old.actual !== entry.row.actual || old.predicted === entry.row.predicted) continue
    count(entry.row, "added")
    count(old, "removed")
  }
  const changed = [...cells.values()].sort(
    (a, b) => Math.abs(b.added - b.removed) - Math.abs(a.added - a.removed) || b.added - a.added,
  )
  const p = adjustP(
    changed.map(({ added, removed }) => mcnemarExact(removed, added)),
    "holm",
  )
  return changed.map(({ actual, predicted, added, removed }, i) => ({
    variant,
    baseline: baseline.variant,
    actual: labels[actual] as string,
    predicted: predicted < 0 ? null : (labels[predicted] as string),
    added,
    removed,
    p: p[i] as number,
  }))
}

function sentenceOf(variant: string, entries: Entries, labels: readonly string[]): string {
  const wrong = matrixOf(entries, labels.length).flatMap((line, actual) =>
    line.flatMap((n, predicted) => (n > 0 && predicted !== actual ? [{ n, actual, predicted }] : [])),
  )
  const right = entries.filter(({ row }) => row.actual === row.predicted).length
  const [most] = wrong.sort((a, b) => b.n - a.n)
  const worst = most && {
    n: most.n,
    actual: labels[most.actual] as string,
    predicted: labels[most.predicted] ?? null,
  }
  return confusionSentence(variant, { right, answers: entries.length }, worst ?? null)
}
