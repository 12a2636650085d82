import type { AmongPeople, JudgeAgainst, PeopleFigures } from "../../analyse/judge-validation/people.ts"
import type { PositionFigures } from "../../analyse/judge-validation/position.ts"
import type { Correlations, ValidationGroups } from "../../analyse/judge-validation/validation-groups.ts"
import type { JsonValue } from "../../core/json.ts"
import type { Figure } from "../../core/report/figure.ts"
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
export function validationJson({ validation, position, alpha, people }: Validated): Record<string, JsonValue> {
  const { n, judged, labelled, both, missed, figures, groups, labels, confusion, worthLabels, differences } = validation
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
    differences: differences.map(({ id, judge, human }) => ({ id: id.replaceAll("\u0000", " / "), judge, human })),
    groups: groups === null ? null : groupsJson(groups),
    position: position === null ? null : positionJson(position),
    people: people === null ? null : peopleJson(people),
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

const peopleNames = {
  agreement: "agreement",
  fleissKappa: "fleiss_kappa",
  alpha: "alpha",
  gwetAc1: "gwet_ac1",
  gwetAc2: "gwet_ac2",
  icc: "icc",
} as const

function amongJson(among: AmongPeople): Record<string, JsonValue> {
  const keys = Object.keys(peopleNames) as (keyof typeof peopleNames)[]
  return {
    labellers: among.labellers.map(({ labeller, labels }) => ({ labeller, labels })),
    labelled: among.labelled,
    several: among.several,
    disputed: among.disputed,
    ...Object.fromEntries(keys.flatMap((key) => entries(peopleNames[key], among[key]))),
    methods: Object.fromEntries(
      keys.flatMap((key) => {
        const figure = among[key]
        return figure.status === "known" ? [[peopleNames[key], figure.method] as const] : []
      }),
    ),
    reasons: Object.fromEntries(
      keys.flatMap((key) => {
        const figure = among[key]
        return figure.status === "unknown" ? [[peopleNames[key], figure.reason] as const] : []
      }),
    ),
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
