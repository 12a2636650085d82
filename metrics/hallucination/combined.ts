import { UsageError } from "../../src/core/errors.ts"
import {
  type MetricRowsOfVariant,
  type RowEntry,
  type SummaryLevel,
  scored,
  unscored,
} from "../../src/core/metric/metric.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { ReportSection } from "../../src/core/report/report-sections.ts"
import { tableData } from "../../src/core/report/table-data.ts"
import { mean } from "../../src/stats/mean.ts"
import { counted } from "../../src/words/number.ts"
import { percent } from "../../src/words/percent.ts"
import { measureOrReason, partsOf } from "../parts-of.ts"
import { reportSection, scoredVariants } from "../report-section.ts"
import { signature } from "../text/signature.ts"
import { type Detector, detectorDetails } from "./detector.ts"
import { detectionOf, meanFigure, precisionFigure, recallFigure } from "./detector-figures.ts"
import { type DetectorRow, detectorRow, type Offence } from "./detector-row.ts"
import { detectionColumns } from "./detector-section.ts"

/** Options of {@link hallucination}. @public */
export interface HallucinationOptions {
  /** Detectors that check every answer; they need not be listed in the config as well. */
  readonly detectors: readonly Detector[]
  readonly name?: string
  /** How many of the detectors that could check must flag an answer: `any` (default), `most` (more than half), `all`. */
  readonly flag?: "any" | "most" | "all"
}

/** One answer under several detectors. @public */
export type CombinedRow = DetectorRow & {
  readonly detectors: readonly {
    readonly name: string
    /** Null where the detector could not check, and why. */
    readonly flagged: boolean | null
    readonly score: number | null
    readonly reason: string | null
  }[]
}

/**
 * Hallucination under several detectors together: the rate of answers that any (most, all) of them flag, with each detector
 * listed separately: its own rate, precision and recall where samples have labels, what it costs and what it cannot detect.
 *
 * `any` finds most and has most false positives; `all` the reverse. A detector that cannot check an answer is not counted
 * for it. The places that detectors mark are kept, each with the detector that found it. Range 0..1, lower is better. Cost: that
 * of its detectors. Unscored: `no_detector` when none could check.
 *
 * Source: evalkit's own combination; each detector names its own.
 *
 * @throws UsageError without detectors, and for two of one name
 * @example
 * // of 4 answers the first detector flags 2, the second 2, both together 1
 * hallucination({ detectors: [ungroundedFacts(), unsupportedClaims({ provider })], flag: "all" }) // 0.25; with "any" 0.75
 * @public
 */
export function hallucination(options: HallucinationOptions): Detector<CombinedRow> {
  checkOptions("hallucination", options)
  const { detectors, name = "hallucination", flag = "any" } = options
  const names = detectors.map((detector) => detector.name)
  if (detectors.length === 0 || new Set(names).size < names.length)
    throw new UsageError("detectors must be one or more of different names", { where: `${name}: ${names.join(", ")}` })
  const cost = detectors.map((detector) => `${detector.name}: ${detector.cost}`).join("; ")
  const blindSpot = detectors.map((detector) => `${detector.name}: ${detector.blindSpot}`).join("; ")
  return {
    name,
    signature: signature("hallucination", {
      flag,
      detectors: detectors.map((detector) => detector.signature.replaceAll("|", ",")).join("+"),
    }),
    direction: "lower",
    range: [0, 1],
    unit: "share",
    aggregation: { kind: "mean" },
    note: `Cost: ${cost}. Blind spots: ${blindSpot}.`,
    cost,
    blindSpot,
    ...partsOf(detectors),
    async measure(sample, generation, tools) {
      const looked = await Promise.all(
        detectors.map((detector) =>
          measureOrReason(detector, () => detector.measure(sample, generation, tools), tools),
        ),
      )
      const rows = looked.flatMap((measured) => (measured.status === "scored" ? [measured.row] : []))
      if (rows.length === 0)
        return unscored(
          "no_detector",
          `${looked.map((result) => ("reason" in result ? result.reason : "")).join("; ")}`.slice(0, 500),
        )
      const hits = rows.filter(({ flagged }) => flagged).length
      const offences = looked.flatMap((result, i) =>
        result.status === "scored" ? result.row.offences.map((offence) => named(offence, names[i] as string)) : [],
      )
      const facts = {
        score: hits / rows.length,
        checked: Math.max(...rows.map(({ checked }) => checked)),
        unsupported: new Set(offences.map(({ start }) => start)).size,
        offences,
      }
      const flagged = hits > 0 && (flag === "any" || (flag === "all" ? hits === rows.length : hits > rows.length / 2))
      return scored({
        ...detectorRow(facts, flagged, sample, generation),
        detectors: looked.map((result, i) =>
          result.status === "scored"
            ? { name: names[i] as string, flagged: result.row.flagged, score: result.row.score, reason: null }
            : { name: names[i] as string, flagged: null, score: null, reason: result.reason },
        ),
      })
    },
    value: ({ flagged }) => Number(flagged),
    summarise(entries) {
      if (entries.length === 0) return { value: null, reason: "nothing was scored" }
      const rows = entries.map(({ row }) => row)
      const own = names.map((detector) => {
        const its = entriesOf(entries, detector).map(({ row }) => row)
        return [detector, its.length === 0 ? null : detectorDetails(its)] as const
      })
      return {
        value: mean(rows.map(({ flagged }) => Number(flagged))),
        details: { ...detectorDetails(rows), detectors: Object.fromEntries(own) },
      }
    },
    section: (variants, level = {}) => combinedSection({ name, flag, detectors }, variants, level),
  }
}

function named(offence: Offence, detector: string): Offence {
  return { ...offence, reason: `${detector}: ${offence.reason}`, detector }
}

/** Whether a detector objects. Rows that an older version stored say so in the reason alone. */
function isOf(offence: Offence, detector: string): boolean {
  return offence.detector === undefined ? offence.reason.startsWith(`${detector}: `) : offence.detector === detector
}

/** What one detector found in the answers that it could check. */
function entriesOf(entries: readonly RowEntry<CombinedRow>[], detector: string): readonly RowEntry<DetectorRow>[] {
  return entries.flatMap((entry) => {
    const seen = entry.row.detectors.find((result) => result.name === detector)
    if (!seen || seen.flagged === null || seen.score === null) return []
    const { score, flagged } = seen
    const offences = entry.row.offences.filter((offence) => isOf(offence, detector))
    return [{ ...entry, row: { ...entry.row, score, flagged, offences, unsupported: offences.length } }]
  })
}

interface CombinedFacts {
  readonly name: string
  readonly flag: NonNullable<HallucinationOptions["flag"]>
  readonly detectors: readonly Detector[]
}

function combinedSection(
  { name, flag, detectors }: CombinedFacts,
  variants: readonly MetricRowsOfVariant[],
  level: SummaryLevel,
): ReportSection | null {
  const results = scoredVariants<CombinedRow>(variants)
  if (results.length === 0) return null
  const together = { detector: `together (${flag} of them)`, cost: "that of all", blindSpot: "what all of them miss" }
  const lines = results.flatMap(({ variant, entries }) => [
    { variant, ...together, entries: entries as readonly RowEntry<DetectorRow>[] },
    ...detectors.map(({ name: detector, cost, blindSpot }) => {
      return { variant, detector, cost, blindSpot, entries: entriesOf(entries, detector) }
    }),
  ])
  const rows = lines.map((line) => ({
    ...line,
    rate: meanFigure(line.entries, ({ flagged }) => Number(flagged), level),
    precision: precisionFigure(line.entries, level),
    recall: recallFigure(line.entries, level),
    detection: detectionOf(line.entries.map(({ row }) => row)),
  }))
  const data = tableData(rows, [
    ["variant", ({ variant }) => variant],
    ["detector", ({ detector }) => detector],
    ["hallucination rate", ({ rate }) => rate, "share"],
    ...detectionColumns,
    ["cost of an answer", ({ cost }) => cost],
    ["blind spot", ({ blindSpot }) => blindSpot],
  ])
  const sentences = results.map(({ variant, entries }) => {
    const rate = meanFigure(entries, ({ flagged }) => Number(flagged))
    const share = rate.status === "known" ? percent(rate.value) : "none"
    return `${variant}: ${flag} of ${detectors.length} detectors flag ${share} of ${counted(entries.length, "answer")}.`
  })
  return reportSection(
    "hallucination",
    `Hallucination, measured by ${detectors.length} detectors (${name})`,
    sentences,
    data,
  )
}
