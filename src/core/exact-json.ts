import type { JsonValue } from "./json.ts"

/** Digits that a whole number must have to be rounded. */
const manyDigits = /\d{16}/

/**
 * A JSON text as a value, in which no whole number is rounded: one that double precision cannot hold (a 64-bit id) is a text of its digits.
 *
 * @throws SyntaxError as JSON.parse does
 * @example parseExactJson('{"id": 1234567890123456789}') // { id: "1234567890123456789" }
 */
export function parseExactJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue
  return manyDigits.test(text) ? (JSON.parse(withQuotedIntegers(text)) as JsonValue) : value
}

/** With quotes around whole numbers that would be rounded. The text is valid JSON. */
function withQuotedIntegers(text: string): string {
  let quoted = ""
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string
    if (character === '"') i = endOfString(text, i)
    else if (character === "-" || (character >= "0" && character <= "9")) {
      const end = endOfNumber(text, i)
      const number = text.slice(i, end)
      if (/^-?\d{16,}$/.test(number) && String(Number(number)) !== number) {
        quoted += `${text.slice(from, i)}"${number}"`
        from = end
      }
      i = end - 1
    }
  }
  return quoted + text.slice(from)
}

function endOfString(text: string, start: number): number {
  let i = start + 1
  while (text[i] !== '"') i += text[i] === "\\" ? 2 : 1
  return i
}

function endOfNumber(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && "0123456789.eE+-".includes(text[i] as string)) i++
  return i
}
