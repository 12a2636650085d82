import { noAnswerMeaning, noAnswerWords, verdictMeanings } from "../verdict-words.ts"
import { type Term, word } from "./term.ts"

/** The five words of a swap, and what a comparison finds on one metric. */
export const verdictTerms: readonly Term[] = [
  verdict("swap", "SWAP", verdictMeanings.swap),
  verdict("keep", "KEEP", verdictMeanings.keep),
  verdict("inconclusive", "INCONCLUSIVE", verdictMeanings.inconclusive, {
    note: "The sentence beside it says what is missing, mostly how many samples, and whether this run may go on with --extend or a new run is to ask them. Do not ask the same samples again until it passes.",
  }),
  verdict("not-comparable", "NOT COMPARABLE", verdictMeanings.not_comparable, {
    note: "The reason stands beside it.",
    also: ["not_comparable", "not comparable"],
  }),
  verdict("invalid", "INVALID", verdictMeanings.invalid, {
    note: "The checks in \u201cMethod\u201d say which one failed.",
  }),
  word("no-answer", noAnswerWords, {
    text: noAnswerMeaning,
    note: "The cause and the way to go on stand below it.",
    also: ["no_answer"],
  }),
  word("verdict", "verdict", {
    text: "What is decided. Of a swap: swap, keep, inconclusive, not comparable or invalid. Of one metric: better, non inferior, inferior, inconclusive or not comparable. Of a load in a bench: valid, or invalid where evalkit\u2019s own error is more than 5 % of a figure.",
    note: "A metric may be inferior while the swap is decided by another one: only the metrics that decide count.",
  }),
  finding("better", "better", {
    text: "The candidate is better on this metric: the one-sided bound of the difference lies above 0 on its good side.",
  }),
  finding("non-inferior", "non inferior", {
    text: "The candidate is not worse on this metric by more than the margin: the one-sided bound of the difference lies above \u2212margin.",
    also: ["non_inferior"],
  }),
  finding("inferior", "inferior", {
    text: "The candidate is worse on this metric by more than the margin: the one-sided bound says so, not the estimate alone.",
  }),
]

type More = Pick<Term, "note" | "also">

function verdict(id: string, title: string, text: string, more: More = {}): Term {
  return { id, title, kind: "verdict", text, ...more }
}

function finding(id: string, title: string, more: Pick<Term, "text" | "also">): Term {
  return { id, title, kind: "verdict", place: "metric", ...more }
}
