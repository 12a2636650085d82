// A sign counts only where no digit or closing bracket comes before it: in "5-3" and "5 - 3" the dash is an operator.
const numbers =
  /(?<![\p{L}\p{N}_.])(?:(?<![\p{L}\p{N})\]])(?<![\p{N})\]]\s)[-+\u2212])?[$€£¥]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)?(?:\.\d+)?(?:[eE][-+]?\d{1,3}(?!\d))?/gu
const markers = /####|\\boxed\{|\b(?:final\s{1,20})?answer\b\s{0,20}(?:is\b|[:=])|^[^\S\n]{0,100}A[^\S\n]{0,20}:/gimu

/**
 * The final number of an answer: the first number after the last marker of an answer ("####", "A:", "Answer:", "the answer
 * is", "\boxed{"), else the last number of the text; null when there is none. Thousands separators, currency signs and
 * U+2212 are understood; "50%" is 50. Linear in the text.
 *
 * @example finalNumber("5 + 7 = 12, so he pays $1,200.\nA: 1,200") // 1200
 */
export function finalNumber(text: string): number | null {
  let end = -1
  for (const match of text.matchAll(markers)) end = match.index + match[0].length
  const after = end < 0 ? undefined : numbersOf(text.slice(end)).next()
  if (after !== undefined && !after.done) return after.value
  let last: number | null = null
  for (const number of numbersOf(text)) last = number
  return last
}

function* numbersOf(text: string): Generator<number> {
  for (const [found] of text.matchAll(numbers)) {
    const digits = found.replace(/[$€£¥,+]/g, "").replace("\u2212", "-")
    const number = /\d/.test(digits) ? Number(digits) : Number.NaN
    if (Number.isFinite(number)) yield number
  }
}
