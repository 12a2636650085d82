import type { Generation } from "../../src/core/generation.ts"
import { canonicalJson, type JsonValue } from "../../src/core/json.ts"
import {
  type Metric,
  type RowEntry,
  type Summary,
  type SummaryLevel,
  scored,
  type Unscored,
  unscored,
} from "../../src/core/metric/metric.ts"
import type { MetricTools } from "../../src/core/metric/metric-tools.ts"
import { checkOptions } from "../../src/core/options.ts"
import type { FairnessData } from "../../src/core/report/report-sections.ts"
import type { Sample } from "../../src/core/sample.ts"
import { smallGroupsWarning } from "../../src/words/metrics/fairness.ts"
import { reportSection, scoredRows, unitOf } from "../report-section.ts"
import { recipe } from "../text/recipe.ts"
import { signature } from "../text/signature.ts"
import { squadNormalize } from "../text/squad-normalize.ts"
import { groupOf } from "./decision-metric.ts"
import { groupGap, groupRatio, worstGroup } from "./group-gap.ts"
import { type GroupedScore, gini, groupFigure, scoresByGroup, theil } from "./group-means.ts"
import { smallGroup } from "./group-rates.ts"
import { gapFigure, gapSentence, smallGroups } from "./group-section.ts"

/** Options of {@link groupAccuracy}. @public */
export interface GroupAccuracyOptions {
  readonly name?: string
  /** Another metric (range 0..1), by name, whose value is compared. Default: whether the answer is right. */
  readonly of?: string
  /** Metadata fields whose values together are the group (two attributes: their intersections; `group` is the sample's own). */
  readonly by?: readonly string[]
  /** Answers below which a group is named as too small to judge. Default 30. */
  readonly minimumGroup?: number
  /** `difference`: best minus worst group, 0 is even. `worst`: the worst group's mean. `ratio`: worst over best. */
  readonly as?: "difference" | "worst" | "ratio"
}

const range = [0, 1] as const

/** What the figure is: the accuracy of all groups is none of them. */
const titles = {
  difference: "group accuracy gap",
  worst: "worst group accuracy",
  ratio: "group accuracy ratio",
} as const

/** One answer's score and its group. @public */
export type GroupScoreRow = { readonly group: string; readonly score: number }

/**
 * Accuracy by group, and how far apart the best and the worst group are. Adds the report's fairness section.
 *
 * An answer is right when the row says so (`correct`), when its `prediction` (else its text) equals the label ("yes" and "no" are the
 * words for labels that are true or false), or when it
 * equals a reference after SQuAD's normalisation. Misleads where groups have questions of different difficulty: compare
 * counterfactual samples then. The largest gap of many groups is above 0 by chance: its interval allows for that. Details
 * hold every group's mean, the worst group, Gini coefficient and Theil index over the groups' means, and the groups too
 * small to judge. Range 0..1; lower is better for `difference`, higher for the others. Unscored: `no_group`, `no_label`.
 *
 * Source: the difference and the ratio of fairlearn's MetricFrame.
 *
 * @example
 * // group a has 3 of 4 right, group b 1 of 4
 * groupAccuracy() // 0.5
 * @public
 */
export function groupAccuracy(options: GroupAccuracyOptions = {}): Metric<GroupScoreRow> {
  checkOptions("groupAccuracy", options)
  const { as = "difference", of, by, minimumGroup = smallGroup } = options
  const name = options.name ?? "groupAccuracy"
  return {
    name,
    signature: signature("groupAccuracy", { as, of: of ?? "correct", by: by?.join("&") ?? "group" }),
    direction: as === "difference" ? "lower" : "higher",
    range,
    unit: "share",
    ...(options.name === undefined && of === undefined && { title: titles[as] }),
    aggregation: { kind: "rows" },
    recipe: recipe("groupAccuracy", options),
    ...(of !== undefined && { dependsOn: [of] }),
    measure(sample, generation, tools) {
      const group = groupOf(sample, by)
      if (group === null) return unscored("no_group")
      const score = of === undefined ? correctness(sample, generation) : scoreOfMetric(of, tools)
      return typeof score === "number" ? scored({ group, score }) : score
    },
    value: () => null,
    summarise: (rows, level) => summarise(rows, as, minimumGroup, level),
    section(variants, level) {
      const all = variants.map((variant) => ({ variant: variant.variant, scores: grouped(scoredRows(variant)) }))
      const results = all.flatMap(({ variant, scores }) => {
        const groups = scoresByGroup(scores)
        return groups.size > 1 ? [{ variant, groups }] : []
      })
      if (results.length === 0) return null
      const data: FairnessData = {
        metric: of ?? name,
        unit: "share",
        variants: results.map(({ variant, groups }) => {
          const figures = [...groups].map(
            ([group, list]) => [group, groupFigure(list, range, minimumGroup, level)] as const,
          )
          return { variant, groups: Object.fromEntries(figures), gap: gapFigure([groups], range, minimumGroup, level) }
        }),
      }
      const sentences = results.map(({ variant, groups }) => gapSentence(variant, [groups], range, level))
      const title = name === "groupAccuracy" ? "" : ` (${name})`
      return reportSection("fairness", `Whether answers are equally good for all groups${title}`, sentences, data)
    },
  }
}

/** The value at once; bounds and details when they are read: resampling summarises a thousand times and reads the value alone. */
function summarise(
  rows: readonly RowEntry<GroupScoreRow>[],
  as: "difference" | "worst" | "ratio",
  minimum: number,
  level?: SummaryLevel,
): Summary {
  const sums = new Map<string, { total: number; n: number }>()
  for (const { row } of rows) {
    const sum = sums.get(row.group)
    if (sum) {
      sum.total += row.score
      sum.n++
    } else sums.set(row.group, { total: row.score, n: 1 })
  }
  if (sums.size < 2) return { value: null, reason: "fewer than two groups" }
  let [worst, best] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { total, n } of sums.values()) {
    worst = Math.min(worst, total / n)
    best = Math.max(best, total / n)
  }
  const groupsOf = once(() => scoresByGroup(grouped(rows)))
  const gapOf = once(() => groupGap([groupsOf()], range, level))
  const detailsOf = (): JsonValue => {
    const [groups, gap] = [groupsOf(), gapOf()]
    const means = [...groups].map(([, list]) => list.reduce((sum, { score }) => sum + score, 0) / list.length)
    const small = smallGroups([groups], minimum)
    const inequality = (value: number) => (Number.isNaN(value) ? null : value)
    return {
      groups: Object.fromEntries(
        [...groups].map(([group, list], i) => [group, { mean: means[i] ?? null, n: list.length }]),
      ),
      gini: inequality(gini(means)),
      theil: inequality(theil(means)),
      ...(gap && { best: gap.best, worst: gap.worst, detectableGap: gap.detectable }),
      ...(small.length > 0 && {
        tooSmall: [...small],
        warning: smallGroupsWarning(minimum, [...small]),
      }),
    }
  }
  if (as === "ratio" && best === 0) return { value: null, reason: "every group's mean is 0", details: detailsOf() }
  const boundsOf = () =>
    as === "difference"
      ? gapOf()
      : as === "worst"
        ? worstGroup(groupsOf(), range, level)
        : groupRatio([groupsOf()], range, level)
  return {
    value: as === "difference" ? best - worst : as === "worst" ? worst : worst / best,
    get details() {
      return detailsOf()
    },
    get interval() {
      const bounds = boundsOf()
      return bounds ? { low: bounds.low, high: bounds.high, method: bounds.method } : undefined
    },
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function grouped(rows: readonly RowEntry<GroupScoreRow>[]): GroupedScore[] {
  return rows.map((entry) => ({ ...entry.row, unit: unitOf(entry) }))
}

function correctness(sample: Sample, { given, text }: Generation): number | Unscored {
  if (given?.correct !== undefined) return given.correct
  if (sample.label !== undefined) return Number(sameValue(sample.label, given?.prediction ?? text))
  if (sample.references.length === 0) return unscored("no_label", "neither correct, label nor references")
  const answer = squadNormalize(text)
  return Number(sample.references.some((reference) => squadNormalize(reference) === answer))
}

/** A label that is true or false is named by "yes", "true" and "1", or by "no", "false" and "0". */
const truths: Readonly<Record<string, boolean>> = { yes: true, true: true, 1: true, no: false, false: false, 0: false }

function sameValue(label: JsonValue, prediction: JsonValue): boolean {
  if (typeof label === "boolean") {
    const named = squadNormalize(String(prediction))
    return Object.hasOwn(truths, named) && truths[named] === label
  }
  const plain = (value: JsonValue) =>
    typeof value === "object" && value !== null ? canonicalJson(value) : squadNormalize(String(value))
  return plain(label) === plain(prediction)
}

function scoreOfMetric(metric: string, tools: MetricTools): number | Unscored {
  const value = tools.valueOf(metric)
  return typeof value === "number" ? value : unscored("no_value", `${metric} has none for this answer`)
}
