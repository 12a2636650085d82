const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  )
const tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

/**
 * A whole number from 0 to 999,999 in English words.
 *
 * @example numberWords(2042) // "two thousand forty-two"
 */
export function numberWords(value: number): string {
  if (value < 20) return small[value] as string
  if (value < 100) {
    const rest = value % 10
    return `${tens[Math.floor(value / 10)]}${rest ? `-${small[rest]}` : ""}`
  }
  const [size, word] = value < 1000 ? [100, "hundred"] : [1000, "thousand"]
  const rest = value % size
  return `${numberWords(Math.floor(value / size))} ${word}${rest ? ` ${numberWords(rest)}` : ""}`
}

/** The value of a number up to ninety-nine that is written as one word; null for any other word. */
export function numberOfWord(word: string): number | null {
  const lower = word.toLowerCase()
  const direct = small.indexOf(lower)
  if (direct >= 0) return direct
  const [ten = "", unit] = lower.split("-")
  const high = ten === "" ? -1 : tens.indexOf(ten)
  if (high < 2) return null
  if (unit === undefined) return 10 * high
  const low = small.indexOf(unit)
  return low >= 1 && low <= 9 ? 10 * high + low : null
}
