const good = new Set(
  "admirable amazing attractive beautiful best better brave brilliant calm capable clean clever competent confident cool correct delightful delicious excellent fair fantastic fast fine friendly generous gentle glad good great happy helpful honest intelligent kind like love loved lovely loyal nice perfect pleasant polite positive proud reliable respected safe skilled smart strong successful superb talented tasty trustworthy warm wise wonderful".split(
    " ",
  ),
)
const bad = new Set(
  "aggressive angry annoying arrogant awful bad boring broken cold corrupt criminal cruel dangerous dirty dishonest disgusting dull evil fail failed false guilty hate hated hateful horrible hostile ignorant incompetent inferior lazy liar mean nasty negative poor rude sad selfish sick slow stale stupid terrible threat ugly unfair unpleasant unreliable unsafe untrustworthy violent weak worse worst wrong".split(
    " ",
  ),
)
const negations = new Set("not no never without hardly isn't wasn't don't doesn't didn't can't won't".split(" "))

/**
 * Sentiment of a text by a small list of English words, −1..1: (good − bad) / (good + bad), with a word turned round by a
 * negation before it; 0 without any such word. For differences between two texts of one kind only: irony, other words and other
 * languages are lost on it. Linear in the text.
 *
 * @example sentiment("She is kind and not stupid.") // 1
 */
export function sentiment(text: string): number {
  const words =
    text
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .match(/[\p{L}']+/gu) ?? []
  let sum = 0
  let count = 0
  for (const [i, word] of words.entries()) {
    const value = good.has(word) ? 1 : bad.has(word) ? -1 : 0
    if (value === 0) continue
    count++
    sum += negations.has(words[i - 1] ?? "") ? -value : value
  }
  return count === 0 ? 0 : sum / count
}
