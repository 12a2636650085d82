import type { Figure } from "../../core/report/figure.ts"
import { signedNumber } from "../../words/difference.ts"
import { amount, count, counted } from "../../words/number.ts"
import { percent } from "../../words/percent.ts"
import { judgeFigures } from "./reasons.ts"

/** A figure with its interval. */
export function range({ value, low, high }: { value: number; low?: number | null; high?: number | null }): string {
  return low == null || high == null ? amount(value) : `${amount(value)}, between ${amount(low)} and ${amount(high)}`
}

function signedRange({ low, high }: { low?: number | null; high?: number | null }): string {
  if (low == null || high == null) return "no interval"
  const points = { scale: 100, unit: "points" }
  return `between ${signedNumber(low, points)} and ${signedNumber(high, points)}`
}

/** The words for a kappa whose interval does not exclude chance. */
function byChance(kappa: Figure | undefined): string {
  return kappa?.status === "known" && (kappa.low ?? 0) <= 0 ? ": not shown to be better than chance" : ""
}

/** Alpha with the rest of the panel under which a judge is called out. */
const minAlpha = 0.2
/** What a judge's card is worded from. */
export interface JudgeCardFacts {
  readonly judge: string
  readonly figures: Readonly<Record<string, Figure>>
  /** Null for judges that compare nothing. */
  readonly position: {
    readonly counts: { readonly first: number; readonly second: number; readonly tie: number; readonly invalid: number }
    readonly advantage: Figure
    readonly flips: Figure
  } | null
  /** Whether the judge's model is one of the candidates. */
  readonly alsoCandidate: boolean
}

/** How often a judge agrees with a known truth, and with people; empty where neither is known. */
export function agreementSentences({ judge, figures }: Pick<JudgeCardFacts, "judge" | "figures">): readonly string[] {
  const sentences: string[] = []
  const truth = figures[judgeFigures.truthAgreement]
  const truthKappa = figures[judgeFigures.truthKappa]
  if (truth?.status === "known")
    sentences.push(
      `The judge ${judge} is right on ${percent(truth.value)} of ${counted(truth.n, "answer")} whose truth is known${truthKappa?.status === "known" ? ` (kappa ${range(truthKappa)})` : ""}${byChance(truthKappa)}.`,
    )
  const people = figures["kappa with people"]
  const agreement = figures["agreement with people"]
  if (people?.status === "known" && agreement?.status === "known")
    sentences.push(
      `The judge ${judge} agrees with people on ${percent(agreement.value)} of ${counted(agreement.n, "label")} (kappa ${range(people)})${byChance(people)}.`,
    )
  return sentences
}

/** How far a judge may be trusted, in sentences. */
export function cardSentences({ judge, figures, position, alsoCandidate }: JudgeCardFacts): readonly string[] {
  const sentences = [...agreementSentences({ judge, figures })]
  const alpha = figures[judgeFigures.panelAlpha]
  if (alpha?.status === "known" && alpha.value < minAlpha)
    sentences.push(
      `${judge} agrees with the rest of its panel hardly better than chance (alpha ${range(alpha)}): leave it out, or give its trust and dropBelow.`,
    )
  if (position) {
    const { first, second, tie, invalid } = position.counts
    const { advantage, flips } = position
    if (advantage.status === "known" && flips.status === "known")
      sentences.push(
        `${judge} named the first answer ${counted(first, "time")}, the second ${count(second)}, a tie ${count(tie)}, neither ${count(invalid)}: being shown first is worth ${signedNumber(advantage.value, { scale: 100, unit: "points" })} points (${signedRange(advantage)}), and ${percent(flips.value)} of the pairs flip with the order.`,
      )
  }
  const flips = figures["list order flips"]
  const effect = figures["list order effect"]
  if (flips?.status === "known" && effect?.status === "known")
    sentences.push(
      `${percent(flips.value)} of the ${counted(flips.n, "verdict")} of ${judge} change when the rubric's verdicts are listed the other way round; listing the best first changes the score by ${amount(effect.value)} (${range(effect).split(", ").slice(1).join(", ") || "no interval"}).`,
    )
  if (alsoCandidate) sentences.push(`${judge} judges answers of its own model: look at its self-preference.`)
  const unscored = figures.unscored
  if (unscored?.status === "known" && unscored.value > 0.02)
    sentences.push(`${judge} gave no verdict on ${percent(unscored.value)} of ${counted(unscored.n, "answer")}.`)
  return sentences
}

/** How far the judges of a panel agree. */
export function panelSentences(panel: Readonly<Record<string, Figure>>): readonly string[] {
  const alpha = panel[judgeFigures.panelAlpha]
  const differ = panel[judgeFigures.differing]
  if (alpha?.status !== "known" || differ?.status !== "known") return []
  return [
    `The judges differ on ${count(differ.value)} of ${counted(differ.n, "answer")} (Krippendorff's alpha ${range(alpha)}; 1 is full agreement, 0 is chance).`,
  ]
}
