import type { Basis } from "../../core/report/comparison.ts"
import type { Decision } from "../../core/report/decision.ts"
import type { JudgedCandidate } from "../../core/report/verdict-facts.ts"
import { listed } from "../../words/names.ts"
import { count } from "../../words/number.ts"

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
  const others = othersWords(candidates.filter((candidate) => candidate !== about))
  const evidence = [about.evidence, others].filter((part) => part !== "").join(" ")
  return { answer: about.answer, evidence, sentence: [about.answer, evidence].filter((part) => part !== "").join(" ") }
}

/** Grounds on which a candidate is kept out though it is as good. */
const failing: ReadonlySet<Basis> = new Set(["limit_broken", "less_reliable"])

/** "Of the 3 other candidates, 2 are worse (s-q8_0 and m-q2_0) and 1 is open (m-q4_0)." "The other candidate (m-q4_0) is open." */
function othersWords(others: readonly JudgedCandidate[]): string {
  if (others.length === 0) return ""
  const kinds: readonly (readonly [one: string, many: string, (judgedCandidate: JudgedCandidate) => boolean])[] = [
    ["could replace it, too", "could replace it, too", ({ verdict }) => verdict === "swap"],
    [
      "is as good, without a reason to swap",
      "are as good, without a reason to swap",
      ({ verdict, quality, basis = "no_gain" }) => verdict === "keep" && quality !== "worse" && !failing.has(basis),
    ],
    ["breaks a limit", "break a limit", ({ verdict, basis }) => verdict === "keep" && basis === "limit_broken"],
    ["fails more often", "fail more often", ({ basis }) => basis === "less_reliable"],
    ["is worse", "are worse", ({ verdict, quality }) => verdict === "keep" && quality === "worse"],
    ["is open", "are open", ({ verdict }) => verdict === "inconclusive"],
    ["cannot be compared", "cannot be compared", ({ verdict }) => verdict === "not_comparable"],
    ["was not measured", "were not measured", ({ verdict }) => verdict === "invalid"],
  ]
  const parts = kinds.flatMap(([singular, plural, is]) => {
    const names = others.filter(is).map(({ candidate }) => candidate)
    if (names.length === 0) return []
    return [{ names, words: names.length === 1 ? singular : plural }]
  })
  const [first] = parts
  if (others.length === 1) return `The other candidate (${others[0]?.candidate}) ${first?.words ?? "was not judged"}.`
  const named = parts.map(
    ({ names, words }) => `${count(names.length)} ${words}${names.length <= 3 ? ` (${listed(names)})` : ""}`,
  )
  return `Of the ${count(others.length)} other candidates, ${listed(named)}.`
}
