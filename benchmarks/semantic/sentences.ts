import { paraphrases } from "../../test/metrics/semantic/model.ts"

/** Distinct sentences of about 24 tokens. */
export function distinctSentences(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const [first, second] = [paraphrases[i % paraphrases.length], paraphrases[(7 * i + 3) % paraphrases.length]]
    return `${first?.text} ${second?.paraphrase} ${i}`
  })
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}
