import type { JsonValue } from "../../src/core/json.ts"
import { type Metric, type Summary, scored, unscored } from "../../src/core/metric.ts"
import type { Sample } from "../../src/core/sample.ts"
import { signature } from "../text/signature.ts"
import { countByGroup, type DecisionRow, type GroupRates, ratesOf, smallGroup } from "./group-rates.ts"

/** Options of every metric over decisions by group. */
export interface DecisionOptions {
  readonly name?: string
  /** Whether a label or a prediction is the positive outcome. Default: 1, true, "1", "true", "yes". */
  readonly positive?: (value: JsonValue) => boolean
  /** Metadata fields whose values together are the group (two attributes: their intersections). Default: the sample's group. */
  readonly by?: readonly string[]
  /** `difference`: largest minus smallest rate, 0 is even. `ratio`: smallest over largest, 1 is even. */
  readonly as?: "difference" | "ratio"
}

/** What sets one such metric apart. */
export interface DecisionFigure {
  readonly name: string
  readonly definition: string
  readonly needsLabel: boolean
  /** The figure from the groups' rates; NaN where it is undefined. */
  figure(rates: readonly GroupRates[], as: "difference" | "ratio"): number
}

/**
 * A fairness metric: rows are decisions with their groups, the figure compares the groups' rates. The prediction is the row's
 * own (`prediction`), else the answer's text; the label is the sample's.
 */
export function decisionMetric(definition: DecisionFigure, options: DecisionOptions): Metric<DecisionRow> {
  const { as = "difference", positive = isPositive } = options
  return {
    name: options.name ?? definition.name,
    signature: signature(definition.name, { as, rates: definition.definition, reference: "fairlearn" }),
    direction: as === "difference" ? "lower" : "higher",
    range: [0, 1],
    aggregation: { kind: "rows" },
    measure(sample, generation) {
      const group = groupOf(sample, options.by)
      if (group === null) return unscored("no_group")
      if (definition.needsLabel && sample.label === undefined) return unscored("no_label")
      const prediction = positive(generation.given?.prediction ?? generation.text)
      return scored({ group, label: sample.label === undefined ? null : positive(sample.label), prediction })
    },
    value: () => null,
    summarise(rows): Summary {
      if (rows.length === 0) return { value: null, reason: "nothing was scored" }
      const groups = new Map([...countByGroup(rows)].map(([group, counts]) => [group, ratesOf(counts)]))
      const value = definition.figure([...groups.values()], as)
      const small = [...groups].filter(([, { count }]) => count < smallGroup).map(([group]) => group)
      const details: JsonValue = {
        groups: Object.fromEntries([...groups].map(([group, rates]) => [group, { ...rates }])),
        ...(small.length > 0 && {
          tooSmall: small,
          warning: `fewer than ${smallGroup} decisions in: ${small.join(", ")}`,
        }),
      }
      if (Number.isNaN(value)) return { value: null, reason: "the ratio of rates that are all 0 is undefined", details }
      return { value, details }
    },
  }
}

/** The group of a sample: its own, or the values of metadata fields joined by " & "; null when one is missing. */
export function groupOf(sample: Sample, by: readonly string[] | undefined): string | null {
  if (!by) return sample.group ?? null
  const values = by.map((field) => sample.metadata[field])
  return values.every((value) => typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    ? values.map(String).join(" & ")
    : null
}

/** Whether a label or a prediction reads as a yes: 1, true, "1", "true", "yes". */
export function isPositive(value: JsonValue): boolean {
  if (typeof value === "number") return value === 1
  if (typeof value === "boolean") return value
  return typeof value === "string" && ["1", "true", "yes"].includes(value.trim().toLowerCase().replace(/\.$/, ""))
}
