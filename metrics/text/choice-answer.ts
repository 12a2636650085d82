const marker =
  /(?:\b(?:answer|choice|option)\b\s{0,20}(?:is|are|:|=){0,4}|\\boxed\{|####)[\s:*"'(\\[{]{0,20}(?:(?:option|choice)\s{0,20})?[(["'*]{0,20}([A-Za-z])(?![\p{L}\p{N}'’])/giu
const opening = /^[\s*("'[]*([A-Za-z])[\s*"']*(?:[.):,\]]|$)/u
const bracketed = /\(([A-Za-z])\)/g

/**
 * Which option an answer chose, as its position (0 for A), or null when it cannot be determined. In this order: the last marked
 * letter ("the answer is (B)", "Answer: B", "\boxed{B}"), a letter at the beginning ("B", "B.", "(B)"), the text of an option,
 * the last letter in brackets, the only option whose text is in the answer.
 *
 * @param choices texts of the options; their letters are A, B, C …
 * @param letters how many letters are options where the texts are not given
 * @example choiceAnswer("I think the answer is (b).", ["red", "blue"]) // 1
 */
export function choiceAnswer(text: string, choices: readonly string[], letters = choices.length): number | null {
  const position = (letter: string | undefined): number | null => {
    const place = letter === undefined ? -1 : letter.toUpperCase().charCodeAt(0) - 65
    return place >= 0 && place < letters ? place : null
  }
  const whole = plain(text)
  const equal = choices.findIndex((choice) => plain(choice) === whole)
  if (equal >= 0 && whole.length > 1) return equal
  let marked: number | null = null
  for (const match of text.matchAll(marker)) marked = position(match[1]) ?? marked
  if (marked !== null) return marked
  const first = position(opening.exec(text.slice(0, 40))?.[1])
  if (first !== null) return first
  if (equal >= 0) return equal
  let inBrackets: number | null = null
  for (const match of text.matchAll(bracketed)) inBrackets = position(match[1]) ?? inBrackets
  if (inBrackets !== null) return inBrackets
  const named = choices.flatMap((choice, place) => (contains(whole, plain(choice)) ? [place] : []))
  return named.length === 1 ? (named[0] as number) : null
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim()
}

/** Whether the text contains the words as whole words. */
function contains(text: string, words: string): boolean {
  return words !== "" && ` ${text} `.includes(` ${words} `)
}
