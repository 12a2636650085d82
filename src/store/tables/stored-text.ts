/**
 * A text as databases can keep it: PostgreSQL has no place for the character U+0000, SQLite's driver ends a text at it, and half of a
 * surrogate pair has no bytes in UTF-8. What models, files and data sets write may have all of them, in ids as well. U+0000 is kept
 * as U+0001 and "0", U+0001 as itself and "1" (the order of texts stays as it was), half of a pair as U+0001, "2" and its four digits.
 */
export function toStoredText(text: string): string {
  return isKept(text) ? text : text.replace(unkept, marked)
}

/** The inverse of {@link toStoredText}. */
export function fromStoredText(text: string): string {
  return text.includes("\u0001") ? text.replace(/\u0001(?:([01])|2(d[89a-f][0-9a-f]{2}))/g, unmarked) : text
}

/** Without a pattern: this looks at everything that is written. */
function isKept(text: string): boolean {
  return !text.includes("\0") && !text.includes("\u0001") && text.isWellFormed()
}

const unkept = /[\0\u0001\p{Surrogate}]/gu

function marked(character: string): string {
  if (character === "\0") return "\u00010"
  return character === "\u0001" ? "\u00011" : `\u00012${character.charCodeAt(0).toString(16)}`
}

function unmarked(_: string, control: string | undefined, half: string): string {
  if (control !== undefined) return control === "0" ? "\0" : "\u0001"
  return String.fromCharCode(Number.parseInt(half, 16))
}
