import type { Check } from "../core/report/report.ts"
import type { EqualityPart } from "../stats/tests/model-equality.ts"
import { signed, sized, type Wording } from "../words/difference.ts"
import { listed } from "../words/names.ts"
import { count, counted } from "../words/number.ts"
import { pValue } from "../words/p-value.ts"
import { errorText } from "../words/percent.ts"

/** What is tested, and in what its difference is counted. */
const partWords: Readonly<Record<string, { readonly name: string; readonly wording: Wording }>> = {
  completions: { name: "agreement of the texts", wording: { scale: 100, unit: "points" } },
  characters: { name: "length", wording: { scale: 1, unit: "characters" } },
  logprob: { name: "log-probability a token", wording: { scale: 1, unit: "nats" } },
  truncated: { name: "answers that were cut off", wording: { scale: 100, unit: "points" } },
  toolCalled: { name: "answers that call a tool", wording: { scale: 100, unit: "points" } },
}

/** What sentence and table are made of. */
export interface EqualityFacts {
  readonly baseline: string
  readonly candidate: string
  readonly alpha: number
  readonly p: number | null
  readonly parts: readonly EqualityPart[]
  readonly prompts: number
  readonly requests: readonly [number, number]
  readonly failed: readonly [number, number]
  readonly compared: number
  readonly identical: number
  readonly untested: readonly string[]
  readonly draws: number
}

/** Whether two sides give the same answers: told apart, not told apart and what would have been, or not tested and why. */
export function equalitySentence(facts: EqualityFacts): string {
  const { baseline, candidate, alpha, p, parts, prompts, requests } = facts
  if (prompts === 0)
    return `Whether ${baseline} and ${candidate} give the same answers is unknown: they have no answer to the same prompt.`
  const [before, after] = requests
  const each =
    before === after ? `${counted(before, "request")} each` : `${count(before)} and ${counted(after, "request")}`
  const base = `${each}, ${counted(prompts, "prompt")}`
  if (p === null)
    return `Whether ${baseline} and ${candidate} give the same answers cannot be told at ${base}: ${inconclusiveReason(facts)}.`
  if (p <= alpha) {
    const tests = parts.filter((part) => part.p <= alpha)
    return `${candidate} gives other answers than ${baseline}, which chance does not explain (${pValue(p)}; ${base}): ${listed(tests.map(findingOf))}.`
  }
  const needed = parts.flatMap(({ name, detectable }) =>
    detectable === null ? [] : [`${sized(detectable, wordsOf(name).wording)} in ${wordsOf(name).name}`],
  )
  const would = needed.length === 0 ? "" : `: a difference of ${listed(needed, "or")} would be, in 80 % of cases`
  return `${baseline} and ${candidate} cannot be told apart at ${base} (${pValue(p)})${would}.`
}

function findingOf({ name, difference }: EqualityPart): string {
  const { name: what, wording } = wordsOf(name)
  // Two answers of different sides agree less.
  return `${what} ${signed(name === "completions" ? -difference : difference, wording)}`
}

function inconclusiveReason({ compared, identical }: EqualityFacts): string {
  if (compared > 0 && identical === compared) return `all ${counted(compared, "pair")} of answers are identical`
  return askOften
}

const askOften =
  "how much the answers to one prompt differ by chance is not known; ask each prompt several times (repeats)"

/** The table of the statistics: what was found, and what would be. */
export function equalityTable({ parts }: EqualityFacts): {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
} {
  return {
    header: ["statistic", "B − A", "would be found", "p", "prompts"],
    rows: parts.map((part) => {
      const { name, wording } = wordsOf(part.name)
      const shown = part.name === "completions" ? -part.difference : part.difference
      const least = part.detectable === null ? "unknown" : sized(part.detectable, wording)
      return [name, signed(shown, wording), least, pValue(part.p).replace("p = ", ""), count(part.prompts)]
    }),
  }
}

/** What the table does not show. */
export function equalityRemarks(facts: EqualityFacts): readonly string[] {
  const { alpha, compared, identical, failed, untested, parts, draws } = facts
  const isOnce = untested.includes("completions") && parts.length > 0 && identical < compared
  return [
    ...(compared > 0 ? [`identical answers: ${count(identical)} of ${count(compared)}`] : []),
    ...(failed[0] + failed[1] > 0 ? [`failed, and left out: ${count(failed[0])} of A, ${count(failed[1])} of B`] : []),
    ...(isOnce ? [`${wordsOf("completions").name} not tested: ${askOften}`] : []),
    ...untested
      .filter((name) => name !== "completions")
      .map((name) => `${wordsOf(name).name} not tested: unknown, or the same for all answers`),
    ...(draws === 0
      ? []
      : [
          `answers to a prompt were exchanged between the sides ${count(draws)} times; all statistics together raise a false alarm in ${errorText(alpha)} of comparisons at most, p is adjusted for that`,
        ]),
  ]
}

function wordsOf(name: string) {
  return partWords[name] ?? { name, wording: { scale: 1, unit: "" } }
}

/** The same as a check of the run. */
export function equalityCheck(facts: EqualityFacts): Check {
  const status = facts.p === null ? "unknown" : facts.p <= facts.alpha ? "failed" : "passed"
  return {
    name: `${facts.candidate} answers as ${facts.baseline}, the same model elsewhere`,
    status,
    message: equalitySentence(facts),
  }
}
