/** What Python's `str.isspace` and `str.split` count as white space: not U+FEFF, but U+001C–U+001F and U+0085. */
const whiteSpace = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/

/**
 * Splits a text at white space as Python's `str.split()` does: no empty words, U+FEFF is not white space.
 *
 * @example splitWords(" a\u3000b ") // ["a", "b"]
 */
export function splitWords(text: string): string[] {
  const words = text.split(whiteSpace)
  if (words[0] === "") words.shift()
  if (words.at(-1) === "") words.pop()
  return words
}

/**
 * Removes white space at both ends as Python's `str.strip()` does, in linear time.
 *
 * @example stripSpace(" a b\n") // "a b"
 */
export function stripSpace(text: string): string {
  let start = 0
  while (start < text.length && isSpace(text.charCodeAt(start))) start++
  return stripEnd(text.slice(start))
}

/** Removes white space at the end as Python's `str.rstrip()` does. */
export function stripEnd(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** Whether Python counts the code unit as white space; all of its white space lies in the basic plane. */
export function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f)
  return (
    code === 0x85 || code === 0xa0 || (code >= 0x1680 && code <= 0x3000 && whiteSpace.test(String.fromCharCode(code)))
  )
}
