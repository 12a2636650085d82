import { abstains } from "../statements/abstention.ts"
import { citationMarks, statementText, withoutCitationMarks } from "../statements/citation-marks.ts"
import { splitSentences } from "../statements/sentences.ts"

/** A sentence that states something, with the passages that it cites. */
export interface CitedSentence {
  /** As it stands in the answer, marks included. */
  readonly text: string
  readonly start: number
  /** Without marks: what the passages are to support. */
  readonly statement: string
  /** Numbers of the passages cited, 1 is the first; each once. */
  readonly passages: readonly number[]
}

/** Sentences of an answer that are read. */
const maxSentences = 200

/**
 * The sentences of an answer that state something, with the passages that each cites. A mark belongs to the sentence in or after
 * which it stands ("… in London. [1] She …": to the first). Sentences that say that the answer is not known are left out.
 *
 * @example citedSentences("Ada was born in London [1]. She died young.") // passages [1], then []
 */
export function citedSentences(answer: string): readonly CitedSentence[] {
  const marks = citationMarks(answer)
  const sentences = splitSentences(withoutCitationMarks(answer)).slice(0, maxSentences)
  return sentences.flatMap(({ text, start, end }, i) => {
    if (abstains(text)) return []
    const from = i === 0 ? 0 : start
    const to = sentences[i + 1]?.start ?? answer.length
    const own = marks.filter((mark) => mark.start >= from && mark.start < to)
    const last = own.at(-1)?.end ?? end
    return [
      {
        text: answer.slice(start, Math.max(end, last)),
        start,
        statement: statementText(text),
        passages: [...new Set(own.flatMap(({ passages }) => passages))],
      },
    ]
  })
}
