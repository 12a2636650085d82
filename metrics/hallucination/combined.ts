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
import { type Lens, lensDetails } from "./lens.ts"
import { detectionOf, meanFigure, precisionFigure, recallFigure } from "./lens-figures.ts"
import { type LensRow, lensRow, type Offence } from "./lens-row.ts"
import { detectionColumns } from "./lens-section.ts"

/** Options of {@link hallucination}. @public */
export interface HallucinationOptions {
  /** Lenses that check every answer; they need not be listed in the config as well. */
  readonly lenses: readonly Lens[]
  readonly name?: string
  /** How many of the lenses that could check must flag an answer: `any` (default), `most` (more than half), `all`. */
  readonly flag?: "any" | "most" | "all"
}

/** One answer under several lenses. @public */
export type CombinedRow = LensRow & {
  readonly lenses: readonly {
    readonly name: string
    /** Null where the lens could not check, and why. */
    readonly flagged: boolean | null
    readonly score: number | null
    readonly reason: string | null
  }[]
}

/**
 * Hallucination under several lenses together: the rate of answers that any (most, all) of them flag, with each lens
 * listed separately: its own rate, precision and recall where samples have labels, what it costs and what it cannot detect.
 *
 * `any` finds most and has most false positives; `all` the reverse. A lens that cannot check an answer is not counted
 * for it. The places that lenses mark are kept, each with the lens that found it. Range 0..1, lower is better. Cost: that
 * of its lenses. Unscored: `no_lens` when none could check.
 *
 * Source: evalkit's own combination; each lens names its own.
 *
 * @throws UsageError without lenses, and for two of one name
 * @example
 * // of 4 answers the first lens flags 2, the second 2, both together 1
 * hallucination({ lenses: [ungroundedFacts(), unsupportedClaims({ provider })], flag: "all" }) // 0.25; with "any" 0.75
 * @public
 */
export function hallucination(options: HallucinationOptions): Lens<CombinedRow> {
  checkOptions("hallucination", options)
  const { lenses, name = "hallucination", flag = "any" } = options
  const names = lenses.map((lens) => lens.name)
  if (lenses.length === 0 || new Set(names).size < names.length)
    throw new UsageError("lenses must be one or more of different names", { where: `${name}: ${names.join(", ")}` })
  const cost = lenses.map((lens) => `${lens.name}: ${lens.cost}`).join("; ")
  const blindSpot = lenses.map((lens) => `${lens.name}: ${lens.blindSpot}`).join("; ")
  return {
    name,
    signature: signature("hallucination", {
      flag,
      lenses: lenses.map((lens) => lens.signature.replaceAll("|", ",")).join("+"),
    }),
    direction: "lower",
    range: [0, 1],
    unit: "share",
    aggregation: { kind: "mean" },
    note: `Cost: ${cost}. Blind spots: ${blindSpot}.`,
    cost,
    blindSpot,
    ...partsOf(lenses),
    async measure(sample, generation, tools) {
      const looked = await Promise.all(
        lenses.map((lens) => measureOrReason(lens, () => lens.measure(sample, generation, tools), tools)),
      )
      const rows = looked.flatMap((measured) => (measured.status === "scored" ? [measured.row] : []))
      if (rows.length === 0)
        return unscored(
          "no_lens",
          `${looked.map((one) => ("reason" in one ? one.reason : "")).join("; ")}`.slice(0, 500),
        )
      const hits = rows.filter(({ flagged }) => flagged).length
      const offences = looked.flatMap((one, i) =>
        one.status === "scored" ? one.row.offences.map((place) => named(place, names[i] as string)) : [],
      )
      const found = {
        score: hits / rows.length,
        checked: Math.max(...rows.map(({ checked }) => checked)),
        unsupported: new Set(offences.map(({ start }) => start)).size,
        offences,
      }
      const flagged = hits > 0 && (flag === "any" || (flag === "all" ? hits === rows.length : hits > rows.length / 2))
      return scored({
        ...lensRow(found, flagged, sample, generation),
        lenses: looked.map((one, i) =>
          one.status === "scored"
            ? { name: names[i] as string, flagged: one.row.flagged, score: one.row.score, reason: null }
            : { name: names[i] as string, flagged: null, score: null, reason: one.reason },
        ),
      })
    },
    value: ({ flagged }) => Number(flagged),
    summarise(entries) {
      if (entries.length === 0) return { value: null, reason: "nothing was scored" }
      const rows = entries.map(({ row }) => row)
      const own = names.map((lens) => {
        const its = entriesOf(entries, lens).map(({ row }) => row)
        return [lens, its.length === 0 ? null : lensDetails(its)] as const
      })
      return {
        value: mean(rows.map(({ flagged }) => Number(flagged))),
        details: { ...lensDetails(rows), lenses: Object.fromEntries(own) },
      }
    },
    section: (variants, level = {}) => combinedSection({ name, flag, lenses }, variants, level),
  }
}

function named(offence: Offence, lens: string): Offence {
  return { ...offence, reason: `${lens}: ${offence.reason}`, lens }
}

/** Whether a lens objects. Rows that an older version stored say so in the reason alone. */
function isOf(offence: Offence, lens: string): boolean {
  return offence.lens === undefined ? offence.reason.startsWith(`${lens}: `) : offence.lens === lens
}

/** What one lens found in the answers that it could check. */
function entriesOf(entries: readonly RowEntry<CombinedRow>[], lens: string): readonly RowEntry<LensRow>[] {
  return entries.flatMap((entry) => {
    const seen = entry.row.lenses.find((one) => one.name === lens)
    if (!seen || seen.flagged === null || seen.score === null) return []
    const { score, flagged } = seen
    const offences = entry.row.offences.filter((offence) => isOf(offence, lens))
    return [{ ...entry, row: { ...entry.row, score, flagged, offences, unsupported: offences.length } }]
  })
}

interface CombinedFacts {
  readonly name: string
  readonly flag: NonNullable<HallucinationOptions["flag"]>
  readonly lenses: readonly Lens[]
}

function combinedSection(
  { name, flag, lenses }: CombinedFacts,
  variants: readonly MetricRowsOfVariant[],
  level: SummaryLevel,
): ReportSection | null {
  const known = scoredVariants<CombinedRow>(variants)
  if (known.length === 0) return null
  const together = { lens: `together (${flag} of them)`, cost: "that of all", blindSpot: "what all of them miss" }
  const lines = known.flatMap(({ variant, entries }) => [
    { variant, ...together, entries: entries as readonly RowEntry<LensRow>[] },
    ...lenses.map(({ name: lens, cost, blindSpot }) => {
      return { variant, lens, cost, blindSpot, entries: entriesOf(entries, lens) }
    }),
  ])
  const rows = lines.map((line) => ({
    ...line,
    rate: meanFigure(line.entries, ({ flagged }) => Number(flagged), level),
    precision: precisionFigure(line.entries, level),
    recall: recallFigure(line.entries, level),
    found: detectionOf(line.entries.map(({ row }) => row)),
  }))
  const data = tableData(rows, [
    ["variant", ({ variant }) => variant],
    ["lens", ({ lens }) => lens],
    ["hallucination rate", ({ rate }) => rate, "share"],
    ...detectionColumns,
    ["cost of an answer", ({ cost }) => cost],
    ["blind spot", ({ blindSpot }) => blindSpot],
  ])
  const sentences = known.map(({ variant, entries }) => {
    const rate = meanFigure(entries, ({ flagged }) => Number(flagged))
    const share = rate.status === "known" ? percent(rate.value) : "none"
    return `${variant}: ${flag} of ${lenses.length} lenses flag ${share} of ${counted(entries.length, "answer")}.`
  })
  return reportSection("hallucination", `Hallucination, measured by ${lenses.length} lenses (${name})`, sentences, data)
}
