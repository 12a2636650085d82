import type { PeopleFigures } from "../../analyse/judge-validation/people.ts"
import type { PositionFigures } from "../../analyse/judge-validation/position.ts"
import type { Validation } from "../../analyse/judge-validation/validation.ts"
import type { Correlations, ValidationGroups } from "../../analyse/judge-validation/validation-groups.ts"
import type { Figure, KnownFigure } from "../../core/report/figure.ts"
import { signedNumber } from "../../words/difference.ts"
import { amount, count, counted } from "../../words/number.ts"
import { pValue } from "../../words/p-value.ts"
import { percent } from "../../words/percent.ts"
import { plainText } from "../../words/text.ts"
import { type Screen, screenTable } from "../arguments/screen-table.ts"
import { figureTable, interval, peopleText } from "./people-text.ts"

/** A judge beside people, and at which level its intervals are. */
export interface Validated {
  readonly validation: Validation
  readonly position: PositionFigures | null
  readonly alpha: number
  /** Several people's labels; null where at most one person labelled. */
  readonly people: PeopleFigures | null
}

/** What `evalkit judge validate` prints for people: sentences, then the table. */
export function validationText({ validation, position, alpha, people }: Validated, screen: Screen): string {
  const { figures, groups, confusion, differences } = validation
  const rows = [
    ["agreement (share of equal scores)", figures.agreement],
    ["Cohen's kappa", figures.kappa],
    // Of two values both are one figure.
    ...(confusion && confusion.values.length <= 2
      ? []
      : ([["Cohen's kappa, quadratic weights", figures.weightedKappa]] as const)),
    ["Krippendorff's alpha", figures.alpha],
    ["Pearson's correlation", figures.pearson],
    ["Spearman's rank correlation", figures.spearman],
    ["Kendall's tau-b", figures.kendall],
    ["mean of the judge", figures.judgeMean],
    ["mean of the people", figures.humanMean],
    ["mean of the judge, corrected by the people", figures.correctedMean],
  ] as const
  const parts = [sentences(validation, position, people).join("\n"), figureTable("figure", rows, alpha, screen)]
  if (groups) parts.push(...groupTables(groups, screen))
  if (confusion)
    parts.push(
      screenTable(
        ["people say (down), judge says (across)", ...confusion.values.map(amount)],
        confusion.counts.map((counts, i) => [amount(confusion.values[i] as number), ...counts.map(count)]),
        screen,
      ),
    )
  if (differences.length > 0) parts.push(differenceTable(differences, screen))
  if (people) parts.push(...peopleText(people, alpha, screen))
  return `${parts.map((part) => part.trimEnd()).join("\n\n")}\n`
}

/** Rows that judge and people see differently, those that are furthest apart first. */
function differenceTable(differences: Validation["differences"], screen: Screen): string {
  const rows = differences
    .slice(0, shownDifferences)
    .map(({ id, judge, human }) => [plainText(id.replaceAll("\u0000", " / "), 60), amount(judge), amount(human)])
  const table = screenTable(["judge and people differ on", "judge", "people"], rows, screen)
  const more = differences.length - rows.length
  return more > 0 ? `${table.trimEnd()}\n  and ${counted(more, "more row")}: --json lists all` : table
}

const shownDifferences = 20

/** Groups that the terminal shows; JSON has all. */
const shownGroups = 40

function groupTables({ list, within, between }: ValidationGroups, screen: Screen): string[] {
  const row = (name: string, figures: Correlations<Figure>) => [
    name,
    ...[figures.pearson, figures.spearman, figures.kendall].map((figure) =>
      figure.status === "known" ? `${amount(figure.value)} (${interval(figure)})` : "unknown",
    ),
  ]
  const number = (value: number | null) => (value === null ? "" : amount(value))
  const levels = screenTable(
    ["correlations", "Pearson", "Spearman", "Kendall"],
    [row("mean within groups", within), row("of the groups' means", between)],
    screen,
  )
  const shown = list.slice(0, shownGroups)
  const each = screenTable(
    ["group", "n", "agreement", "Pearson", "Spearman", "Kendall"],
    shown.map(({ group, n, agreement, pearson, spearman, kendall }) => [
      plainText(group, 60),
      count(n),
      agreement.status === "known" ? percent(agreement.value) : "unknown",
      ...[pearson, spearman, kendall].map(number),
    ]),
    screen,
  )
  const more = list.length - shown.length
  return [levels, more > 0 ? `${each.trimEnd()}\n  and ${counted(more, "more group")}: --json lists all` : each]
}

function sentences(validation: Validation, position: PositionFigures | null, people: PeopleFigures | null): string[] {
  const { n, judged, missed, figures, worthLabels } = validation
  const lines: string[] = []
  const { agreement, kappa, correctedMean, judgeMean, humanMean } = figures
  if (agreement.status === "known")
    lines.push(
      `Judge and people agree on ${agreed(agreement, agreement.n)}${kappa.status === "known" ? `; beyond chance that is ${strength(kappa.value)} agreement (kappa ${amount(kappa.value)}, ${interval(kappa)})` : ""}.`,
    )
  else lines.push(`There is nothing to compare: ${agreement.reason}.`)
  if (correctedMean.status === "known" && judgeMean.status === "known") {
    lines.push(
      `The judge gives ${amount(judgeMean.value)} on average; corrected by the labels, people would give ${amount(correctedMean.value)} (${interval(correctedMean)}).`,
    )
    if (worthLabels !== null && humanMean.status === "known")
      lines.push(
        worthLabels > humanMean.n
          ? `With the judge, ${count(humanMean.n)} labels give as narrow an interval of that mean as ${count(worthLabels)} would without it.`
          : "The judge does not help here: the labels alone give as narrow an interval of that mean.",
      )
  }
  if (people && people.several > 0)
    lines.push(
      "Where several people labelled, the label above is their last word, or else their mean, which a judge seldom equals: agreement with each person and with the majority is below.",
    )
  lines.push(...drawSentences(validation))
  const leftOut = n - judged - missed
  if (leftOut > 0) lines.push(`${counted(leftOut, "row")} of ${count(n)} have no verdict and are left out.`)
  if (missed > 0)
    lines.push(
      `${counted(missed, "labelled row")} of ${count(n)} without a usable verdict count as disagreements in agreement and kappa; the other figures leave them out.`,
    )
  if (position) lines.push(positionSentence(position))
  return lines
}

function drawSentences({ labels, figures }: Validation): string[] {
  if (labels.differs)
    return [
      `The labelled rows do not look drawn by chance: the judge's scores differ between them and the others (${pValue(labels.p ?? 0)}), and a mean corrected by such labels is biased. If they were chosen by the judge's answer, give each row's probability of being labelled (--probability COLUMN), or label a random part.`,
    ]
  return labels.how === "unstated" && figures.correctedMean.status === "known"
    ? [
        "The corrected mean is right only if the labels were drawn by chance: say --drawn chance if so, --drawn doubt if not.",
      ]
    : []
}

function positionSentence({ counts, flips, advantage }: PositionFigures): string {
  const said = `The judge named the first answer ${counted(counts.first, "time")}, the second ${count(counts.second)}, a tie ${count(counts.tie)}, neither ${count(counts.invalid)}.`
  if (flips.status === "unknown" || advantage.status === "unknown") return said
  const points = { scale: 100, unit: "points" }
  return `${said} Being shown first is worth ${signedNumber(advantage.value, points)} points (between ${signedNumber(advantage.low ?? advantage.value, points)} and ${signedNumber(advantage.high ?? advantage.value, points)}); ${percent(flips.value)} of the pairs flip with the order.`
}

/** "260 of 300 labelled answers (86.7 %)"; all or nothing with what so few can bound. */
function agreed({ value, low, high }: KnownFigure, n: number): string {
  const bound = value === 1 && low != null ? `at least ${percent(low)}` : null
  const share = value === 0 && high != null ? `at most ${percent(high)}` : (bound ?? percent(value))
  return `${count(value * n)} of ${counted(n, "labelled answer")} (${share})`
}

/** Landis and Koch's words for kappa. */
function strength(kappa: number): string {
  if (kappa > 0.8) return "almost perfect"
  if (kappa > 0.6) return "substantial"
  if (kappa > 0.4) return "moderate"
  if (kappa > 0.2) return "fair"
  return kappa > 0 ? "slight" : "no"
}
