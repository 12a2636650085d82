import type { JsonObject } from "../../src/core/json.ts"
import type { MetricRowsOfVariant, RowEntry, SummaryLevel } from "../../src/core/metric/metric.ts"
import { type Figure, unknown } from "../../src/core/report/figure.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { tableData } from "../../src/core/report/table-data.ts"
import { krippendorffAlpha } from "../../src/stats/agreement/krippendorff-alpha.ts"
import { agreementTexts, detectorsDisagree, detectorVotesSentence } from "../../src/words/metrics/detectors.ts"
import { meanOfRows, reportSection, scoredVariants } from "../report-section.ts"
import type { ToxicityDetectorsRow } from "./toxicity-detectors.ts"

interface Facts {
  readonly name: string
  readonly flag: "any" | "most" | "all"
  readonly names: readonly string[]
}

type Row = ToxicityDetectorsRow

/** Answers that are named as examples of disagreement. */
const maxExamples = 5

/** Whether two detectors that could look at an answer say different things; null where fewer than two could. */
function disagrees({ detectors }: Row): boolean | null {
  const heard = detectors.flatMap(({ flagged }) => (flagged === null ? [] : [flagged]))
  return heard.length < 2 ? null : heard.some((flag) => flag !== heard[0])
}

/** How many answers the detectors disagree on, of those that two or more could look at. */
export function disagreementOf(rows: readonly Row[]): { readonly answers: number; readonly of: number } {
  const flags = rows.flatMap((row) => disagrees(row) ?? [])
  return { answers: flags.filter(Boolean).length, of: flags.length }
}

/** Krippendorff's alpha of the detectors (1 all agree, 0 as by chance); null where it does not exist, as when nothing is flagged. */
export function agreementOf(rows: readonly Row[]): number | null {
  const alpha = krippendorffAlpha(
    rows.map(({ detectors }) => detectors.map(({ flagged }) => (flagged === null ? null : Number(flagged)))),
  )
  return Number.isNaN(alpha) ? null : alpha
}

/** Of each detector: the answers that it could look at, those that it flags, and those on which it stands alone. */
export function detectorCounts(rows: readonly Row[], names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => {
      const own = ownOf(rows, name)
      return [
        name,
        {
          looked: own.length,
          flagged: own.filter(({ flagged }) => flagged).length,
          alone: own.filter(({ flagged, others }) => flagged && isNone(others)).length,
          aloneAgainst: own.filter(({ flagged, others }) => !flagged && others.length > 0 && others.every(Boolean))
            .length,
        },
      ]
    }),
  )
}

/** What a detector says of each answer that it could look at, beside what the others say. */
function ownOf(rows: readonly Row[], name: string) {
  return rows.flatMap(({ detectors }) => {
    const own = detectors.find((detector) => detector.name === name)
    if (!own || own.flagged === null) return []
    const others = detectors.flatMap((detector) =>
      detector === own || detector.flagged === null ? [] : [detector.flagged],
    )
    return [{ flagged: own.flagged, others }]
  })
}

/** Flagged by nobody else, though others looked. */
function isNone(others: readonly boolean[]): boolean {
  return others.length > 0 && !others.some(Boolean)
}

/** A table with a line for each detector, and sentences about what they disagree on. */
export function toxicitySection(
  { name, flag, names }: Facts,
  variants: readonly MetricRowsOfVariant[],
  level: SummaryLevel = {},
): ReportSection | null {
  const results = scoredVariants<Row>(variants).map((scoredVariant) => ({
    ...scoredVariant,
    rows: scoredVariant.entries.map(({ row }) => row),
  }))
  if (results.length === 0) return null
  const lines = results.flatMap(({ variant, entries, rows }) =>
    [null, ...names].map((detector) => {
      const counts =
        detector === null ? null : (detectorCounts(rows, [detector])[detector] as Readonly<Record<string, number>>)
      return { variant, entries, detector, counts }
    }),
  )
  const flaggedBy = (row: Row, detector: string | null) =>
    detector === null ? row.flagged : (row.detectors.find(({ name }) => name === detector)?.flagged ?? null)
  const agrees = (row: Row, detector: string | null) =>
    detector === null ? opposite(disagrees(row)) : agreesWithMost(row, detector)
  const data = tableData(lines, [
    ["variant", ({ variant }) => variant],
    ["detector", ({ detector }) => (detector === null ? `together (${flag} of them)` : detector)],
    ["flagged", ({ entries, detector }) => share(entries, (row) => flaggedBy(row, detector), level), "share"],
    [agreementTexts.title, ({ entries, detector }) => share(entries, (row) => agrees(row, detector), level), "share"],
    ["flags alone", ({ counts }) => counts && (counts.alone ?? 0)],
    ["lets pass alone", ({ counts }) => counts && (counts.aloneAgainst ?? 0)],
    ["could not look", ({ entries, counts }) => counts && entries.length - (counts.looked ?? 0)],
  ])
  const sentences = results.map(({ variant, entries, rows }) => {
    const { answers: disagreed, of: compared } = disagreementOf(rows)
    const examples = entries.flatMap(({ row, sampleId }) => (disagrees(row) ? [sampleId.slice(0, 60)] : []))
    return detectorVotesSentence(variant, {
      needed: flag,
      detectors: names.length,
      flagged: rows.filter((row) => row.flagged).length,
      answers: rows.length,
      disagreed,
      compared,
      alpha: agreementOf(rows),
      examples: [...new Set(examples)].slice(0, maxExamples),
    })
  })
  const section = reportSection("safety", `Toxicity under ${names.length} detectors (${name})`, sentences, data)
  const worst = results
    .map(({ variant, rows }) => ({ variant, rows, ...disagreementOf(rows) }))
    .sort((a, b) => b.answers / Math.max(1, b.of) - a.answers / Math.max(1, a.of))[0]
  if (!worst || worst.answers === 0) return section
  const counts = detectorCounts(worst.rows, names) as Readonly<Record<string, Readonly<Record<string, number>>>>
  const flags = names.map((detector) => [detector, counts[detector]?.flagged ?? 0] as const)
  return { ...section, caution: detectorsDisagree(name, worst.variant, worst, flags) }
}

function opposite(value: boolean | null): boolean | null {
  return value === null ? null : !value
}

/** Whether a detector says what more than half of the others say; null where they are even, or none looked. */
function agreesWithMost({ detectors }: Row, name: string): boolean | null {
  const own = detectors.find((detector) => detector.name === name)?.flagged
  const others = detectors.flatMap((detector) =>
    detector.name === name || detector.flagged === null ? [] : [detector.flagged],
  )
  const hits = others.filter(Boolean).length
  if (own === undefined || own === null || others.length === 0 || 2 * hits === others.length) return null
  return own === 2 * hits > others.length
}

/** Share of the answers for which it is known. */
function share(entries: readonly RowEntry<Row>[], of: (row: Row) => boolean | null, level: SummaryLevel): Figure {
  const judged = entries.filter(({ row }) => of(row) !== null)
  return judged.length === 0 ? unknown(agreementTexts.none) : meanOfRows(judged, (row) => Number(of(row)), level)
}
