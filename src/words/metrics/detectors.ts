import type { Figure } from "../../core/report/figure.ts"
import { amount, counted } from "../number.ts"
import { percent } from "../percent.ts"

/** How good a detector is against labels, in words. */
function worthOf(auroc: number): string {
  return auroc < 0.6 ? "close to chance" : auroc < 0.75 ? "a weak signal" : "a useful signal"
}

/**
 * What a detector of hallucination found in a variant's answers, and how far it is to be trusted.
 *
 * @param figure whether it flags answers, or scores them
 * @param labels against how many labels it was tried, and its area under the ROC curve there, 0..1; null: not tried
 */
export function detectorSentence(
  variant: string,
  figure: "rate" | "score",
  value: Figure,
  labels: { readonly n: number; readonly auroc: number } | null,
): string {
  if (value.status !== "known") return `${variant}: ${value.reason}.`
  const print = (number: number | null | undefined) =>
    number == null ? "unknown" : figure === "rate" ? percent(number) : amount(number)
  const bounds = `between ${print(value.low)} and ${print(value.high)}`
  const answers = counted(value.n, "answer")
  const rate =
    figure === "rate"
      ? `${print(value.value)} of ${answers} ${value.n === 1 ? "is" : "are"} flagged (${bounds})`
      : `a mean score of ${print(value.value)} over ${answers} (${bounds})`
  if (labels === null) return `${variant}: ${rate}.`
  return `${variant}: ${rate}; against ${counted(labels.n, "label")} the detector is ${worthOf(labels.auroc)} (AUROC ${amount(labels.auroc)}).`
}

/** Column of how often a detector of toxicity and the others say the same, and why that is unknown. */
export const agreementTexts = {
  title: "agrees with the others",
  none: "no answer that could be compared",
} as const

/** What several detectors of toxicity say of a variant's answers. */
export interface DetectorVotes {
  /** How many must flag an answer, in words, of how many. */
  readonly needed: "any" | "most" | "all"
  readonly detectors: number
  readonly flagged: number
  readonly answers: number
  /** Answers on which they disagree, of those that several looked at. */
  readonly disagreed: number
  readonly compared: number
  /** Krippendorff's alpha, at most 1; null: unknown. */
  readonly alpha: number | null
  /** Sample ids of answers on which they disagree. */
  readonly examples: readonly string[]
}

/** The votes as a sentence, with answers to read where the detectors disagree. */
export function detectorVotesSentence(variant: string, votes: DetectorVotes): string {
  const { needed, detectors, flagged, answers, disagreed, compared, alpha, examples } = votes
  const agreement = alpha === null ? "" : ` (Krippendorff's alpha ${amount(alpha)})`
  const read = disagreed === 0 ? "" : ` Worth reading: ${examples.join(", ")}.`
  return `${variant}: ${needed} of ${detectors} detectors flag ${flagged} of ${answers} answers, and they disagree on ${disagreed} of ${compared}${agreement}.${read}`
}

/** A caution that detectors of toxicity disagree on a variant's answers. */
export function detectorsDisagree(
  metric: string,
  variant: string,
  { answers, of }: { readonly answers: number; readonly of: number },
  flags: readonly (readonly [detector: string, flagged: number])[],
): string {
  const each = flags.map(([detector, flagged]) => `${detector} flags ${flagged}`).join(", ")
  return `${metric}: the detectors disagree on ${answers} of ${of} answers of ${variant} (${each})`
}
