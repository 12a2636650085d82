import type { JsonValue } from "../../src/core/json.ts"
import { type Metric, type RowEntry, type Summary, scored, unscored } from "../../src/core/metric/metric.ts"
import type { FairnessData } from "../../src/core/report/report-sections.ts"
import type { Sample } from "../../src/core/sample.ts"
import { reportSection, scoredRows, unitOf } from "../report-section.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { groupGap, groupRatio, type ScoresByGroup } from "./group-gap.ts"
import { groupFigure, scoresByGroup } from "./group-means.ts"
import { countByGroup, type DecisionRow, type GroupRates, ratesOf, smallGroup } from "./group-rates.ts"
import { gapFigure, gapSentence } from "./group-section.ts"

/** Options of every metric over decisions by group. @experimental */
export interface DecisionOptions {
  readonly name?: string
  /** Whether a label or a prediction is the positive outcome. Default: 1, true, "1", "true", "yes". */
  readonly positive?: (value: JsonValue) => boolean
  /**
   * Metadata fields whose values together are the group (two attributes: their intersections); `group` is the sample's own.
   * Default: that alone.
   */
  readonly by?: readonly string[]
  /** `difference`: largest minus smallest rate, 0 is even. `ratio`: smallest over largest, 1 is even. */
  readonly as?: "difference" | "ratio"
  /** Decisions below which a group is named as too small to judge. Default 30. */
  readonly minimumGroup?: number
  /** What happens to such groups: they count, as in fairlearn (`keep`, default), or are left out (`leaveOut`). */
  readonly small?: "keep" | "leaveOut"
}

/** A rate that is compared: the share of positive decisions among some of the rows. */
export interface DecisionRate {
  /** For people: `true positives`. */
  readonly name: string
  /** Whether a row is one of those. */
  counts(row: DecisionRow): boolean
}

/** What is specific to one such metric. */
export interface DecisionFigure {
  readonly name: string
  /** For people, without "gap" or "ratio": `demographic parity`. */
  readonly title: string
  readonly definition: string
  readonly needsLabel: boolean
  readonly rates: readonly DecisionRate[]
  /** The figure from the groups' rates; NaN where it is undefined. */
  figure(rates: readonly GroupRates[], as: "difference" | "ratio"): number
}

const range = [0, 1] as const

/**
 * A fairness metric: rows are decisions with their groups, the figure compares the groups' rates. The prediction is the row's
 * own (`prediction`), else the answer's text; the label is the sample's. Adds a fairness section.
 */
export function decisionMetric(definition: DecisionFigure, options: DecisionOptions): Metric<DecisionRow> {
  const { as = "difference", positive = isPositive, by, minimumGroup = smallGroup, small = "keep" } = options
  const name = options.name ?? definition.name
  const judged = (rows: readonly RowEntry<DecisionRow>[]) => (small === "keep" ? rows : largeGroups(rows, minimumGroup))
  return {
    name,
    signature: signature(definition.name, {
      as,
      rates: definition.definition,
      by: by?.join("&") ?? "group",
      ...(small === "leaveOut" && { minimum: minimumGroup }),
      reference: "fairlearn",
    }),
    direction: as === "difference" ? "lower" : "higher",
    range,
    unit: "share",
    ...(options.name === undefined && { title: `${definition.title} ${as === "difference" ? "gap" : "ratio"}` }),
    aggregation: { kind: "rows" },
    recipe: recipe(definition.name, options),
    measure(sample, generation) {
      const group = groupOf(sample, by)
      if (group === null) return unscored("no_group")
      if (definition.needsLabel && sample.label === undefined) return unscored("no_label")
      const prediction = positive(generation.given?.prediction ?? generation.text)
      return scored({ group, label: sample.label === undefined ? null : positive(sample.label), prediction })
    },
    value: () => null,
    summarise(entries, level): Summary {
      const rows = judged(entries)
      if (rows.length === 0)
        return { value: null, reason: entries.length === 0 ? "nothing was scored" : tooSmall(minimumGroup) }
      const groups = new Map([...countByGroup(rows)].map(([group, counts]) => [group, ratesOf(counts)]))
      const value = definition.figure([...groups.values()], as)
      // Resampling reads the value alone: bounds and details, which take far longer, are made when they are read.
      let compared: { readonly gap: ReturnType<typeof groupGap> } | undefined
      const gapOf = () => {
        compared ??= { gap: groupGap(ratesByGroup(definition, rows), range, level) }
        return compared.gap
      }
      const few = [...groups].filter(([, { count }]) => count < minimumGroup).map(([group]) => group)
      const detailsOf = (): JsonValue => {
        const gap = gapOf()
        return {
          groups: Object.fromEntries([...groups].map(([group, rates]) => [group, { ...rates }])),
          ...(gap && { best: gap.best, worst: gap.worst, detectableGap: gap.detectable }),
          ...(few.length > 0 && {
            tooSmall: few,
            warning: `fewer than ${minimumGroup} decisions in: ${few.join(", ")}`,
          }),
        }
      }
      if (Number.isNaN(value))
        return { value: null, reason: "the ratio of rates that are all 0 is undefined", details: detailsOf() }
      return {
        value,
        get details() {
          return detailsOf()
        },
        get interval() {
          const bounds = as === "difference" ? gapOf() : groupRatio(ratesByGroup(definition, rows), range, level)
          return bounds ? { low: bounds.low, high: bounds.high, method: bounds.method } : undefined
        },
      }
    },
    section(variants, level) {
      const results = variants.flatMap((variant) => {
        const rates = ratesByGroup(definition, judged(scoredRows<DecisionRow>(variant)))
        return (rates[0]?.size ?? 0) > 1 ? [{ variant: variant.variant, rates }] : []
      })
      if (results.length === 0) return null
      const data: FairnessData = {
        metric: name,
        unit: "share",
        variants: results.map(({ variant, rates }) => ({
          variant,
          groups: Object.fromEntries(
            rates.flatMap((groups, i) =>
              [...groups].map(([group, list]) => [
                `${group}: ${definition.rates[i]?.name}`,
                groupFigure(list, range, minimumGroup, level),
              ]),
            ),
          ),
          gap: gapFigure(rates, range, minimumGroup, level),
        })),
      }
      const sentences = results.map(({ variant, rates }) => gapSentence(variant, rates, range, level))
      return reportSection("fairness", `Whether decisions are equal across groups (${name})`, sentences, data)
    },
  }
}

/** Scores (1: decided positively) by group, one map per rate. Every group is in every map, even without a case. */
function ratesByGroup({ rates }: DecisionFigure, rows: readonly RowEntry<DecisionRow>[]): readonly ScoresByGroup[] {
  const scores = (of: readonly RowEntry<DecisionRow>[]) =>
    of.map((entry) => ({ group: entry.row.group, score: Number(entry.row.prediction), unit: unitOf(entry) }))
  const groups = [...scoresByGroup(scores(rows)).keys()]
  return rates.map((rate) => {
    const counted = scoresByGroup(scores(rows.filter(({ row }) => rate.counts(row))))
    return new Map(groups.map((group) => [group, counted.get(group) ?? []]))
  })
}

function largeGroups(rows: readonly RowEntry<DecisionRow>[], minimum: number): readonly RowEntry<DecisionRow>[] {
  const counts = countByGroup(rows)
  return rows.filter(({ row }) => (counts.get(row.group)?.count ?? 0) >= minimum)
}

function tooSmall(minimum: number): string {
  return `no group has ${minimum} decisions`
}

/** The group of a sample: its own, or the values of fields joined by " & "; null when one is missing. */
export function groupOf(sample: Sample, by: readonly string[] | undefined): string | null {
  if (!by) return sample.group ?? null
  const values = by.map((field) =>
    Object.hasOwn(sample.metadata, field) ? sample.metadata[field] : own(sample, field),
  )
  return values.every((value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    ? values.map(String).join(" & ")
    : null
}

function own({ group }: Sample, field: string): JsonValue | undefined {
  return field === "group" ? group : undefined
}

/** Whether a label or a prediction reads as a yes: 1, true, "1", "true", "yes". */
export function isPositive(value: JsonValue): boolean {
  if (typeof value === "number") return value === 1
  if (typeof value === "boolean") return value
  return typeof value === "string" && ["1", "true", "yes"].includes(value.trim().toLowerCase().replace(/\.$/, ""))
}
