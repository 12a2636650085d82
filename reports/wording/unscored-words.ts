import { isUnscoredCode, unscoredCodes } from "../../src/core/metric/unscored-code.ts"

/**
 * Why an answer has no score, for people: what its code means, or the sentence that came with the code.
 *
 * @example unscoredWords("not_drawn") // "the sample is not in the part that is judged"
 * @example unscoredWords("empty_output: the answer has no words") // "the answer has no words"
 */
export function unscoredWords(reason: string): string {
  const [, code = reason, sentence] = /^(\w+): (.+)$/s.exec(reason) ?? []
  if (!isUnscoredCode(code)) return reason
  return sentence ?? (code === "custom" ? reason : unscoredCodes[code])
}
