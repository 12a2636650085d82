import type { AmongPeople, JudgeAgainst, LabelledItem, PeopleFigures } from "../../analyse/judge-validation/people.ts"
import type { Figure } from "../../core/report/figure.ts"
import { amount, count, counted } from "../../words/number.ts"
import { levelText, percent, percentage } from "../../words/percent.ts"
import { plainText } from "../../words/text.ts"
import { type Screen, screenTable } from "../arguments/screen-table.ts"

/** Answers under dispute that the terminal shows; JSON has all. */
const shownDisputes = 10

/** What several people's labels say, as parts of the text of `evalkit judge validate`. */
export function peopleText(people: PeopleFigures, alpha: number, screen: Screen): string[] {
  const parts = people.several === 0 ? [] : [amongSentence(people), amongTable(people, alpha, screen)]
  parts.push(againstTable(people.against, screen))
  for (const policy of people.policies)
    parts.push(
      `policy ${policy.policy === null ? "(none named)" : plainText(policy.policy, 60)}: ${amongSentence(policy)}`,
      amongTable(policy, alpha, screen),
      againstTable(policy.against, screen),
    )
  if (people.disputes.length > 0) parts.push(disputeTable(people.disputes, screen))
  return parts
}

function amongSentence({
  labellers,
  labelled,
  several,
  disputed,
  alpha,
  ...rest
}: AmongPeople | PeopleFigures): string {
  const settled =
    "adjudicated" in rest && rest.adjudicated > 0 ? `; ${count(rest.adjudicated)} of them have a last word` : ""
  const worth =
    alpha.status === "known" ? ` (Krippendorff's alpha ${amount(alpha.value)}; 1 is full agreement, 0 is chance)` : ""
  return `${labellers.length === 1 ? "1 person" : `${count(labellers.length)} people`} labelled ${counted(labelled, "answer")}, ${count(several)} of them more than once. They differ on ${count(disputed)}${worth}${settled}.`
}

function amongTable(amongPeople: AmongPeople, alpha: number, screen: Screen): string {
  const rows = [
    ["equal pairs of labels", amongPeople.agreement],
    ["Fleiss' kappa", amongPeople.fleissKappa],
    ["Krippendorff's alpha", amongPeople.alpha],
    ["Gwet's AC1", amongPeople.gwetAc1],
    ["Gwet's AC2, quadratic weights", amongPeople.gwetAc2],
    ["ICC(2,1)", amongPeople.icc],
  ] as const
  return figureTable("people with each other", rows, alpha, screen)
}

/** Figures with their intervals at the level of `alpha`, and below them why some are unknown. */
export function figureTable(
  title: string,
  rows: readonly (readonly [name: string, figure: Figure])[],
  alpha: number,
  screen: Screen,
): string {
  const table = screenTable(
    [title, "value", `${levelText(alpha)} interval`, "n"],
    rows.map(([name, figure]) =>
      figure.status === "known"
        ? [name, amount(figure.value), interval(figure), count(figure.n)]
        : [name, "unknown", "", ""],
    ),
    screen,
  )
  const reasons = rows.flatMap(([, figure]) => (figure.status === "unknown" ? [figure.reason] : []))
  return [table.trimEnd(), ...[...new Set(reasons)].map((reason) => `unknown: ${reason}`)].join("\n  ")
}

function againstTable(against: readonly JudgeAgainst[], screen: Screen): string {
  return screenTable(
    ["judge against", "agreement", "kappa", "n"],
    against.map(({ who, agreement, kappa }) => [
      plainText(who, 40),
      agreement.status === "known" ? `${percent(agreement.value)} (${shareInterval(agreement)})` : "unknown",
      kappa.status === "known" ? `${amount(kappa.value)} (${interval(kappa)})` : "unknown",
      agreement.status === "known" ? count(agreement.n) : "0",
    ]),
    screen,
  )
}

function disputeTable(disputes: readonly LabelledItem[], screen: Screen): string {
  const table = screenTable(
    ["answers on which people differ", "labels", "judge", "last word"],
    disputes.slice(0, shownDisputes).map(({ id, labels, judge, lastWord }) => [
      plainText(id, 50),
      labels
        .map(({ labeller, score }) => `${plainText(labeller, 20)} ${amount(score)}`)
        .join(", ")
        .slice(0, 80),
      judge === null ? "none" : amount(judge),
      lastWord === null ? "none" : amount(lastWord),
    ]),
    screen,
  )
  const more = disputes.length - shownDisputes
  return more > 0 ? `${table.trimEnd()}\n  and ${counted(more, "more answer")}: --json lists all` : table
}

/** The interval of a figure in words. */
export function interval(figure: Figure): string {
  if (figure.status === "unknown" || figure.low == null || figure.high == null) return "no interval"
  return `between ${amount(figure.low)} and ${amount(figure.high)}`
}

function shareInterval(figure: Figure): string {
  if (figure.status === "unknown" || figure.low == null || figure.high == null) return "no interval"
  return `between ${percentage(figure.low)} and ${percent(figure.high)}`
}
