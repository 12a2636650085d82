import type { Decision } from "../../core/report/decision.ts"
import type { JudgedCandidate } from "./judge-candidate.ts"
import { listed, whole } from "./phrases.ts"

/** The answer of a run in words: that of the candidate it is about, and in a few words what became of the others. */
export function wordDecision(
  baseline: string,
  about: JudgedCandidate | null,
  candidates: readonly JudgedCandidate[],
): Required<Pick<Decision, "sentence" | "answer" | "evidence">> {
  if (!about) {
    const answer = `There is nothing to compare ${baseline} with.`
    return { answer, evidence: "", sentence: answer }
  }
  const others = othersWords(candidates.filter((one) => one !== about))
  const evidence = [about.evidence, others].filter((part) => part !== "").join(" ")
  return { answer: about.answer, evidence, sentence: [about.answer, evidence].filter((part) => part !== "").join(" ") }
}

/** "Of 3 other candidates 2 are worse and 1 is open (m-q4_0)." */
function othersWords(others: readonly JudgedCandidate[]): string {
  if (others.length === 0) return ""
  const kinds: readonly (readonly [string, (one: JudgedCandidate) => boolean])[] = [
    ["could replace it, too", ({ verdict }) => verdict === "swap"],
    [
      "as good without a reason to swap",
      ({ verdict, quality }) => verdict === "keep" && quality !== "worse" && quality !== "open",
    ],
    ["worse", ({ verdict, quality }) => verdict === "keep" && (quality === "worse" || quality === "open")],
    ["not settled", ({ verdict }) => verdict === "inconclusive"],
    ["not comparable", ({ verdict }) => verdict === "not_comparable"],
    ["not measured", ({ verdict }) => verdict === "invalid"],
  ]
  const parts = kinds.flatMap(([words, is]) => {
    const names = others.filter(is).map(({ candidate }) => candidate)
    if (names.length === 0) return []
    const verb = words.startsWith("could") ? "" : names.length === 1 ? "is " : "are "
    const named = names.length <= 3 ? ` (${listed(names)})` : ""
    return [`${whole(names.length)} ${verb}${words}${named}`]
  })
  return `Of ${whole(others.length)} other ${others.length === 1 ? "candidate" : "candidates"} ${listed(parts)}.`
}
