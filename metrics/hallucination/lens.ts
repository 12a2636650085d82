import type { Figure } from "../../src/core/figure.ts"
import { unknown } from "../../src/core/figure.ts"
import type { Generation } from "../../src/core/generation.ts"
import type { JsonValue } from "../../src/core/json.ts"
import { type Metric, type MetricRowsOfVariant, type RowEntry, scored, type Unscored } from "../../src/core/metric.ts"
import type { MetricTools } from "../../src/core/metric-tools.ts"
import type { ReportSection } from "../../src/core/report.ts"
import type { TableData } from "../../src/core/report-sections.ts"
import type { Sample } from "../../src/core/sample.ts"
import { meanInterval } from "../../src/stats/mean-interval.ts"
import { isPositive } from "../fairness/decision-metric.ts"
import { reportSection, scoredRows, unitOf } from "../report-section.ts"
import { type Detection, detection } from "./detection.ts"

/** A part of the answer that nothing bears: where it stands (UTF-16 units), for the report to mark, and why. */
export interface Offence {
  readonly text: string
  readonly start: number
  readonly reason: string
}

/** What a lens found in one answer. */
export interface Assessment {
  /** 0..1: how much of what was checked is not borne. */
  readonly score: number
  /** Statements (or facts, sentences) checked, and those that are not borne. */
  readonly checked: number
  readonly unsupported: number
  readonly offences: readonly Offence[]
}

/** One answer under a lens. */
export type LensRow = Assessment & {
  readonly flagged: boolean
  /** Tokens of the answer; null when unknown. */
  readonly tokens: number | null
  /** Whether people called it hallucinated; null without a label. */
  readonly label: boolean | null
}

/** What sets one lens apart. */
export interface LensOptions {
  readonly name: string
  readonly signature: string
  /** Scores above it flag the answer as hallucinated. */
  readonly threshold: number
  /** What the lens cannot see: stands beside its figures. */
  readonly blindSpot: string
  readonly needs?: Metric["needs"]
  assess(
    sample: Sample,
    generation: Generation,
    tools: MetricTools,
  ): Assessment | Unscored | Promise<Assessment | Unscored>
  close?(): Promise<void>
}

/** Offences that are kept for the report. */
const mostOffences = 20

/**
 * A hallucination metric: the rate of flagged answers, with its interval; details add unsupported statements per 1,000 tokens
 * and, where samples have labels (true: hallucinated), precision, recall and AUROC of the lens itself.
 */
export function lensMetric(options: LensOptions): Metric<LensRow> {
  const { assess, threshold, blindSpot, close, ...facts } = options
  return {
    ...facts,
    direction: "lower",
    range: [0, 1],
    unit: "share",
    aggregation: { kind: "mean" },
    note: blindSpot,
    async measure(sample, generation, tools) {
      const found = await assess(sample, generation, tools)
      if ("status" in found) return found
      return scored({
        ...found,
        offences: found.offences.slice(0, mostOffences).map((one) => ({ ...one, text: one.text.slice(0, 500) })),
        flagged: found.score > threshold,
        tokens: generation.usage.completionTokens,
        label: sample.label === undefined ? null : isPositive(sample.label),
      })
    },
    value: ({ flagged }) => Number(flagged),
    summarise(entries) {
      if (entries.length === 0) return { value: null, reason: "nothing was scored" }
      const rows = entries.map(({ row }) => row)
      const found = labelled(rows)
      const details: JsonValue = {
        checked: rows.reduce((sum, { checked }) => sum + checked, 0),
        unsupported: rows.reduce((sum, { unsupported }) => sum + unsupported, 0),
        per1000Tokens: perThousandTokens(rows),
        ...(found && { detection: { ...found } }),
      }
      return { value: rows.filter(({ flagged }) => flagged).length / rows.length, details }
    },
    section: (variants) => lensSection(options, variants),
    ...(close && { close }),
  }
}

function lensSection({ name, blindSpot }: LensOptions, variants: readonly MetricRowsOfVariant[]): ReportSection | null {
  const known = variants.flatMap((variant) => {
    const entries = scoredRows<LensRow>(variant)
    return entries.length > 0 ? [{ variant: variant.variant, entries }] : []
  })
  if (known.length === 0) return null
  const lines = known.flatMap(({ variant, entries }) =>
    groupsOf(entries).map(([group, members]) => {
      const rows = members.map(({ row }) => row)
      const found = labelled(rows)
      return { variant, group, rate: rateFigure(members), per1000: perThousandTokens(rows), found }
    }),
  )
  const data: TableData = {
    columns: [
      { title: "variant" },
      { title: "group" },
      { title: "hallucination rate", unit: "share" },
      { title: "unsupported per 1,000 tokens" },
      { title: "lens: precision", unit: "share" },
      { title: "lens: recall", unit: "share" },
      { title: "lens: AUROC" },
    ],
    rows: lines.map(({ variant, group, rate, per1000, found }) => [
      variant,
      group,
      rate,
      per1000,
      found?.precision ?? null,
      found?.recall ?? null,
      found?.auroc ?? null,
    ]),
  }
  const sentences = lines.flatMap(({ variant, group, rate, found }) =>
    group === "all" ? [sentence(variant, rate, found)] : [],
  )
  return reportSection(
    "hallucination",
    `Hallucination, seen by ${name}`,
    [...sentences, `Blind spot: ${blindSpot}`],
    data,
  )
}

/** All answers, then each group. */
function groupsOf(entries: readonly RowEntry<LensRow>[]): [string, readonly RowEntry<LensRow>[]][] {
  const names = [...new Set(entries.flatMap(({ group }) => group ?? []))].sort()
  return [
    ["all", entries],
    ...names.map((name): [string, RowEntry<LensRow>[]] => [name, entries.filter(({ group }) => group === name)]),
  ]
}

function rateFigure(entries: readonly RowEntry<LensRow>[]): Figure {
  if (entries.length === 0) return unknown("nothing was scored")
  const flags = entries.map(({ row }) => Number(row.flagged))
  const { value, low, high, method } = meanInterval(flags, entries.map(unitOf), [0, 1])
  return { status: "known", value, low, high, n: entries.length, method }
}

function sentence(variant: string, rate: Figure, found: Detection | null): string {
  if (rate.status !== "known") return `${variant}: ${rate.reason}.`
  const percent = (share: number | null | undefined) => `${((share ?? 0) * 100).toFixed(1)} %`
  const seen = `${variant}: ${percent(rate.value)} of ${rate.n} answers are flagged (between ${percent(rate.low)} and ${percent(rate.high)})`
  if (found?.auroc == null) return `${seen}.`
  const worth = found.auroc < 0.6 ? "close to chance" : found.auroc < 0.75 ? "a weak signal" : "a useful signal"
  return `${seen}; against ${found.n} labels the lens is ${worth} (AUROC ${found.auroc.toFixed(3)}).`
}

function labelled(rows: readonly LensRow[]): Detection | null {
  const known = rows.flatMap(({ score, flagged, label }) => (label === null ? [] : [{ score, flagged, label }]))
  return known.length === 0 ? null : detection(known)
}

/** Unsupported statements per 1,000 tokens of the answers whose length is known; null when none is. */
function perThousandTokens(rows: readonly LensRow[]): number | null {
  const known = rows.filter(({ tokens }) => tokens !== null)
  const tokens = known.reduce((sum, row) => sum + (row.tokens ?? 0), 0)
  return tokens === 0 ? null : (1000 * known.reduce((sum, { unsupported }) => sum + unsupported, 0)) / tokens
}
