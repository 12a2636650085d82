import type { JsonValue } from "../../core/json.ts"
import type { Figure } from "../../core/report/figure.ts"
import type { PositionFigures } from "../../engine/report/judge-card/position.ts"
import type { Correlations, ValidationGroups } from "../../engine/report/judge-card/validation-groups.ts"
import type { Validated } from "./validation-text.ts"

/** Name in the JSON output of every figure. */
const names = {
  agreement: "agreement",
  kappa: "kappa",
  weightedKappa: "weighted_kappa",
  alpha: "alpha",
  pearson: "pearson",
  spearman: "spearman",
  kendall: "kendall",
  judgeMean: "judge_mean",
  humanMean: "human_mean",
  correctedMean: "corrected_mean",
} as const

/**
 * What `evalkit judge validate --json` prints: every figure as a number (null when unknown, with the reason under
 * `reasons`), and `<name>_interval` as `[low, high]` beside it, all at `interval_level`.
 */
export function validationJson({ validation, position, alpha }: Validated): Record<string, JsonValue> {
  const { n, judged, labelled, both, missed, figures, groups, labels, confusion, worthLabels } = validation
  const keys = Object.keys(names) as (keyof typeof names)[]
  const unknown = keys.flatMap((key) => {
    const figure = figures[key]
    return figure.status === "unknown" ? [[names[key], figure.reason] as const] : []
  })
  return {
    interval_level: Number((1 - alpha).toFixed(4)),
    n,
    judged,
    labelled,
    both,
    missed,
    labels_drawn: labels.how,
    labels_differ: labels.differs,
    labels_differ_p: labels.p,
    ...Object.fromEntries(keys.flatMap((key) => entries(names[key], figures[key]))),
    worth_labels: worthLabels,
    confusion: confusion === null ? null : { ...confusion, rows: "human", columns: "judge" },
    groups: groups === null ? null : groupsJson(groups),
    position: position === null ? null : positionJson(position),
    methods: Object.fromEntries(
      keys.flatMap((key) => {
        const figure = figures[key]
        return figure.status === "known" ? [[names[key], figure.method] as const] : []
      }),
    ),
    reasons: Object.fromEntries(unknown),
  }
}

function groupsJson({ list, within, between }: ValidationGroups): JsonValue {
  const level = (figures: Correlations<Figure>) =>
    Object.fromEntries(
      (["pearson", "spearman", "kendall"] as const).flatMap((name) => [
        ...entries(name, figures[name]),
        [`${name}_groups`, figures[name].status === "known" ? figures[name].n : 0] as const,
      ]),
    )
  return {
    within: level(within),
    between: level(between),
    list: list.map(({ group, n, agreement, ...correlations }) => ({
      group,
      n,
      ...Object.fromEntries(entries("agreement", agreement)),
      ...correlations,
    })),
  }
}

function positionJson({ counts, flips, advantage }: PositionFigures): JsonValue {
  return {
    ...counts,
    ...Object.fromEntries([...entries("flip_rate", flips), ...entries("first_place_advantage", advantage)]),
  }
}

function entries(name: string, figure: Figure): (readonly [string, JsonValue])[] {
  if (figure.status === "unknown")
    return [
      [name, null],
      [`${name}_interval`, null],
    ]
  return [
    [name, figure.value],
    [`${name}_interval`, [figure.low ?? null, figure.high ?? null]],
  ]
}
