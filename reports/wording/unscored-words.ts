import { isUnscoredCode, unscoredCodes } from "../../src/core/metric/unscored-code.ts"
import { type Outcome, outcomes } from "../../src/core/outcome.ts"
import { outcomeWords } from "./failure-reasons.ts"

/**
 * Why an answer has no score, for people: what its code means, or the sentence that came with the code.
 *
 * @example unscoredWords("not_drawn") // "the sample is not in the part that is judged"
 * @example unscoredWords("empty_output: the answer has no words") // "the answer has no words"
 */
export function unscoredWords(reason: string): string {
  const { code, sentence, isOutcome } = partsOf(reason)
  if (!isUnscoredCode(code)) return outcomeIn(reason) ?? reason
  // What a service said says nothing about whose service it is.
  if (isOutcome) return unscoredSentence(reason)
  return sentence ?? (code === "custom" ? reason : unscoredCodes[code])
}

/**
 * The same as a sentence that stands alone: what the code means, then what came with it where that says more.
 *
 * @example unscoredSentence("judge_failed: http_4xx") // "the judge's endpoint gave no answer: refused by the service"
 */
export function unscoredSentence(reason: string): string {
  const { code, sentence } = partsOf(reason)
  if (!isUnscoredCode(code)) return outcomeIn(reason) ?? sentence ?? reason
  if (code === "custom") return sentence ?? reason
  return sentence === undefined || sentence === unscoredCodes[code]
    ? unscoredCodes[code]
    : `${unscoredCodes[code]}: ${sentence}`
}

/** The code before the colon, and the sentence behind it; one that is the class of a failed request in words. */
function partsOf(reason: string): {
  readonly code: string
  readonly sentence: string | undefined
  readonly isOutcome: boolean
} {
  const [, code = reason, sentence] = /^(\w+): (.+)$/s.exec(reason) ?? []
  const outcome = sentence === undefined ? undefined : outcomeIn(sentence)
  return { code, sentence: outcome ?? sentence, isOutcome: outcome !== undefined }
}

/** A class of failed requests in words, and what the service said about it. */
function outcomeIn(text: string): string | undefined {
  const [, outcome = text, said] = /^(\w+): (.+)$/s.exec(text) ?? []
  if (!(outcomes as readonly string[]).includes(outcome)) return undefined
  const words = outcomeWords[outcome as Outcome]
  return said === undefined ? words : `${words}: ${said}`
}
