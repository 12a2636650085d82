import type { RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import type { Figure } from "../../src/core/report/figure.ts"
import { unknown } from "../../src/core/report/figure.ts"
import { studentInterval } from "../../src/stats/intervals/student-interval.ts"
import { groupUnits, unitStandardError } from "../../src/stats/resampling/units.ts"
import { levelText } from "../../src/words/percent.ts"
import { meanOfRows, unitOf } from "../report-section.ts"
import { type Detection, detection } from "./detection.ts"
import type { DetectorRow } from "./detector-row.ts"

type Entries = readonly RowEntry<DetectorRow>[]

/** The mean of a number of each row, with its interval. */
export function meanFigure(entries: Entries, of: (row: DetectorRow) => number, level?: SummaryLevel): Figure {
  return entries.length === 0 ? unknown("nothing was scored") : meanOfRows(entries, of, level)
}

/** Of the flagged answers those that people call hallucinated; null without labels. */
export function precisionFigure(entries: Entries, level?: SummaryLevel): Figure | null {
  const labelled = entries.filter(({ row }) => row.label !== null)
  if (labelled.length === 0) return null
  const flagged = labelled.filter(({ row }) => row.flagged)
  return flagged.length === 0 ? unknown("nothing is flagged") : meanFigure(flagged, ({ label }) => Number(label), level)
}

/** Of the answers that people call hallucinated those that are flagged; null without labels. */
export function recallFigure(entries: Entries, level?: SummaryLevel): Figure | null {
  const labelled = entries.filter(({ row }) => row.label !== null)
  if (labelled.length === 0) return null
  const wrong = labelled.filter(({ row }) => row.label)
  return wrong.length === 0
    ? unknown("no answer is labelled as hallucinated")
    : meanFigure(wrong, ({ flagged }) => Number(flagged), level)
}

/** Precision, recall and AUROC against the labels; null without any. */
export function detectionOf(rows: readonly DetectorRow[]): Detection | null {
  const labelled = rows.flatMap(({ score, flagged, label }) => (label === null ? [] : [{ score, flagged, label }]))
  return labelled.length === 0 ? null : detection(labelled)
}

/** Unsupported statements per 1,000 tokens of the answers whose length is known; null when none is. */
export function unsupportedPerThousandTokens(rows: readonly DetectorRow[]): number | null {
  const counted = rows.filter(({ tokens }) => tokens !== null)
  const tokens = counted.reduce((sum, row) => sum + (row.tokens ?? 0), 0)
  return tokens === 0 ? null : (1000 * counted.reduce((sum, { unsupported }) => sum + unsupported, 0)) / tokens
}

/** The same with its interval: a ratio of two sums, by its residuals over samples (or clusters). */
export function perThousandTokensFigure(entries: Entries, { alpha = 0.05 }: SummaryLevel = {}): Figure {
  const counted = entries.filter(({ row }) => row.tokens !== null)
  const value = unsupportedPerThousandTokens(counted.map(({ row }) => row))
  if (value === null) return unknown("no token counts")
  const tokens = counted.map(({ row }) => row.tokens ?? 0)
  const residuals = counted.map(({ row }, i) => row.unsupported - (value / 1000) * (tokens[i] as number))
  const units = groupUnits(residuals, counted.map(unitOf))
  const meanTokens = tokens.reduce((sum, count) => sum + count, 0) / tokens.length
  const error = (1000 * unitStandardError(units)) / meanTokens
  const facts = { status: "known", value, n: counted.length } as const
  if (!(error > 0)) return { ...facts, low: null, high: null, method: "ratio of sums; nothing varies" }
  const { low, high } = studentInterval(value, error, units.sums.length - 1, alpha)
  const method = `ratio of sums, linearised, Student t ${levelText(alpha)} interval`
  return { ...facts, low: Math.max(0, low), high, method }
}
