import { byText } from "../../stats/order.ts"
import { noJudgeFigure } from "../../wording/judge-card/reasons.ts"
import { type AgreementFigures, agreementFigures } from "./agreement.ts"
import type { LabelledItem, PersonLabel } from "./people.ts"

/** How far two people agree on the answers that both labelled. */
export interface PairOfPeople extends AgreementFigures {
  readonly a: string
  readonly b: string
  /** Answers with a label of both. */
  readonly both: number
}

/** Pairs that are listed, those with the most answers in common. */
const maxPairs = 10

/**
 * Share of equal labels, Cohen's kappa and Krippendorff's alpha of each two people, over the answers that both labelled, by one policy.
 * Where a person labelled by several policies, labels are paired within each. Empty unless two have an answer in common.
 *
 * @param alpha 1 − the level of the intervals
 */
export function pairsOfPeople(
  items: readonly LabelledItem[],
  { seed, alpha }: { readonly seed: number | string; readonly alpha: number },
): readonly PairOfPeople[] {
  const rated = new Map<
    string,
    { readonly a: string; readonly b: string; readonly scores: { a: number; b: number }[] }
  >()
  for (const { labels } of [...items].sort((labelledItem, other) => byText(labelledItem.id, other.id)))
    for (const [first, second] of pairsOf(labels)) {
      const key = JSON.stringify([first.labeller, second.labeller])
      const existing = rated.get(key) ?? { a: first.labeller, b: second.labeller, scores: [] }
      rated.set(key, existing)
      existing.scores.push({ a: first.score, b: second.score })
    }
  return [...rated.values()]
    .sort((left, right) => right.scores.length - left.scores.length || byText(left.a + left.b, right.a + right.b))
    .slice(0, maxPairs)
    .map(({ a, b, scores }) => ({
      a,
      b,
      both: scores.length,
      ...agreementFigures(scores, { seed: `${seed}/pair/${a}/${b}`, emptyReason: noJudgeFigure.noSharedLabels, alpha }),
    }))
}

/** Each two labels of different people by one policy, the names in order. */
function pairsOf(labels: readonly PersonLabel[]): readonly (readonly [PersonLabel, PersonLabel])[] {
  return labels.flatMap((label) =>
    labels.flatMap((other): (readonly [PersonLabel, PersonLabel])[] =>
      byText(label.labeller, other.labeller) < 0 && label.policy === other.policy ? [[label, other]] : [],
    ),
  )
}
