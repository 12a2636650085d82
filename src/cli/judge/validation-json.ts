import type { AmongPeople, JudgeAgainst, PeopleFigures } from "../../analyse/judge-validation/people.ts"
import type { PositionFigures } from "../../analyse/judge-validation/position.ts"
import type { Correlations, ValidationGroups } from "../../analyse/judge-validation/validation-groups.ts"
import type { JsonValue } from "../../core/json.ts"
import type { Figure } from "../../core/report/figure.ts"
import { camelTo } from "../../words/names.ts"
import type { Validated } from "./validation-text.ts"

/** Figures by the names that the JSON has for them, with their intervals; then how each was made, or why it is unknown. */
function figuresJson(figures: Readonly<Record<string, Figure>>) {
  const named = Object.entries(figures).map(([name, figure]) => [camelTo("_", name), figure] as const)
  return {
    values: Object.fromEntries(named.flatMap(([name, figure]) => entries(name, figure))),
    methods: Object.fromEntries(
      named.flatMap(([name, figure]) => (figure.status === "known" ? [[name, figure.method]] : [])),
    ),
    reasons: Object.fromEntries(
      named.flatMap(([name, figure]) => (figure.status === "unknown" ? [[name, figure.reason]] : [])),
    ),
  }
}

/**
 * What `evalkit judge validate --json` prints: every figure as a number (null when unknown, with the reason under
 * `reasons`), and `<name>_interval` as `[low, high]` beside it, all at `interval_level`.
 */
export function validationJson({ validation, position, alpha, people }: Validated): Record<string, JsonValue> {
  const { n, judged, labelled, both, missed, figures, groups, labels, confusion, worthLabels, differences } = validation
  const { values, ...accounts } = figuresJson(figures)
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
    ...values,
    worth_labels: worthLabels,
    confusion: confusion === null ? null : { ...confusion, rows: "human", columns: "judge" },
    differences: differences.map(({ id, judge, human }) => ({ id: id.replaceAll("\u0000", " / "), judge, human })),
    groups: groups === null ? null : groupsJson(groups),
    position: position === null ? null : positionJson(position),
    people: people === null ? null : peopleJson(people),
    ...accounts,
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

function peopleJson(people: PeopleFigures): JsonValue {
  return {
    ...amongJson(people),
    adjudicated: people.adjudicated,
    against: againstJson(people.against),
    policies: people.policies.map(({ policy, against, ...among }) => ({
      policy,
      ...amongJson(among),
      against: againstJson(against),
    })),
    disputes: people.disputes.map(({ id, judge, labels, lastWord }) => ({
      id,
      judge,
      labels: labels.map(({ labeller, score, policy, at }) => ({ labeller, score, policy, at })),
      last_word: lastWord,
    })),
  }
}

function amongJson({ labellers, labelled, several, disputed, ...among }: AmongPeople): Record<string, JsonValue> {
  const { agreement, fleissKappa, alpha, gwetAc1, gwetAc2, icc } = among
  const { values, ...accounts } = figuresJson({ agreement, fleissKappa, alpha, gwetAc1, gwetAc2, icc })
  return {
    labellers: labellers.map(({ labeller, labels }) => ({ labeller, labels })),
    labelled,
    several,
    disputed,
    ...values,
    ...accounts,
  }
}

function againstJson(against: readonly JudgeAgainst[]): JsonValue {
  return against.map(({ who, kind, agreement, kappa }) => ({
    who,
    kind,
    n: agreement.status === "known" ? agreement.n : 0,
    ...Object.fromEntries([...entries("agreement", agreement), ...entries("kappa", kappa)]),
  }))
}
