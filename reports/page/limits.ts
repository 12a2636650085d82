import { count } from "../../src/words/number.ts"

/** How much of a run a page holds. @public */
export interface PageLimits {
  /** Answers in the file; above it, a seeded sample of the samples is taken. */
  readonly answers: number
  /** Characters per text. */
  readonly text: number
  /** Tokens with probabilities, and arrivals, per answer; 0 leaves them out. */
  readonly details: number
}

const max = 100_000
const detailed = 12_000

/** The limits for a run of so many answers: small runs keep everything that a reader can look at. */
export function pageLimits(answers: number): PageLimits {
  return answers <= detailed ? { answers: max, text: 4000, details: 400 } : { answers: max, text: 500, details: 0 }
}

/** The limits as sentences for the section on method. */
export function limitRules(limits: PageLimits, answers: number, fullTexts?: string): string[] {
  return [
    `texts are shortened to ${count(limits.text)} characters; ${
      fullTexts === undefined
        ? "the exports hold the full texts, and --full-texts writes them beside the page"
        : `samples that were shortened link to their full texts in ${fullTexts}`
    }`,
    limits.details > 0
      ? `token probabilities and times are kept for the first ${count(limits.details)} tokens of an answer`
      : `token probabilities and times are left out above ${count(detailed)} answers; the exports and the store have them`,
    ...(answers > limits.answers
      ? [
          `the sample browser holds a seeded random part of the samples, about ${count(limits.answers)} answers; every figure, interval and chart is computed from all of them`,
        ]
      : []),
  ]
}
