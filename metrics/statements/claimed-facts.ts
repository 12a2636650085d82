import { claimsOf } from "./abstention.ts"
import { extractFacts, type Fact } from "./facts.ts"
import { splitSentences } from "./sentences.ts"

/**
 * The facts of a text that it states itself: without the names of those whom it greets and who sign it.
 *
 * @example claimedFacts("Dear Mr Smith,\nAsk for Ada King.") // name "Ada King"
 */
export function claimedFacts(text: string): readonly Fact[] {
  const facts = extractFacts(text)
  if (!facts.some(({ kind }) => kind === "name")) return facts
  const sentences = splitSentences(text)
  const states = claimsOf(sentences)
  const cache = new Map<number, boolean>()
  let at = 0
  // Names stand in the order of the text.
  return facts.filter(({ kind, start }) => {
    if (kind !== "name") return true
    while ((sentences[at]?.end ?? Number.POSITIVE_INFINITY) <= start) at++
    const isStated = cache.get(at) ?? states(at)
    cache.set(at, isStated)
    return isStated
  })
}
