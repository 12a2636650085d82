import type { Generation } from "../../src/core/generation.ts"
import type { Sample } from "../../src/core/sample.ts"

/** The probability that a model gave each option of a multiple-choice question. @experimental */
export interface ChoiceDistribution {
  /** One share per option, in the sample's order; they sum to 1. */
  readonly shares: readonly number[]
  /** Position of the option that was chosen. */
  readonly chosen: number
}

/**
 * The distribution over the options of a multiple-choice question, read where the answer names one: the first token that is
 * an option's letter (A, B, C …, also ` A`, `(A` or `A.`), with the letters among its alternatives, renormalised. Options that
 * are outside the alternatives have share 0: ask for 20 (`topLogprobs`). A row of another tool may give it instead, as an object
 * from letters to probabilities in `prediction`. Null when there is none.
 * @experimental
 */
export function choiceDistribution(sample: Sample, generation: Generation): ChoiceDistribution | null {
  const count = sample.choices.length
  if (count < 2 || count > 26) return null
  const weights = statedWeights(generation, count) ?? tokenWeights(generation, count)
  const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? 0
  if (!weights || !(total > 0)) return null
  const shares = weights.map((weight) => weight / total)
  return { shares, chosen: shares.indexOf(Math.max(...shares)) }
}

/** Position of the right option: the sample's label or first reference, as a letter or as the option's own text. */
export function rightChoice(sample: Sample): number | null {
  const answer = typeof sample.label === "string" ? sample.label : sample.references[0]
  if (answer === undefined) return null
  const byText = sample.choices.indexOf(answer)
  const index = byText >= 0 ? byText : letterPosition(answer, sample.choices.length)
  return index === null || index < 0 ? null : index
}

function statedWeights(generation: Generation, count: number): number[] | null {
  const stated = generation.given?.prediction
  if (typeof stated !== "object" || stated === null || Array.isArray(stated)) return null
  const weights = new Array<number>(count).fill(0)
  for (const [letter, share] of Object.entries(stated)) {
    const position = letterPosition(letter, count)
    if (position !== null && typeof share === "number" && share >= 0 && share <= 1) weights[position] = share
  }
  return weights
}

function tokenWeights(generation: Generation, count: number): number[] | null {
  const token = generation.logprobs?.find((entry) => letterPosition(entry.token, count) !== null)
  if (!token) return null
  const listed = token.top.some((entry) => entry.token === token.token) ? token.top : [...token.top, token]
  const weights = new Array<number>(count).fill(0)
  for (const { token: text, logprob } of listed) {
    const position = letterPosition(text, count)
    if (position !== null) weights[position] = (weights[position] as number) + Math.exp(logprob)
  }
  return weights
}

/** Position of a letter, bare or with a blank, a bracket or a full stop; null for anything else. */
function letterPosition(text: string, count: number): number | null {
  const letter = /^\s*\(?([A-Za-z])[).:]?\s*$/.exec(text)?.[1]
  if (letter === undefined) return null
  const position = letter.toUpperCase().charCodeAt(0) - 65
  return position < count ? position : null
}
