/**
 * GPT-2's spelling of bytes: every byte is one printable character, so that tokens can be written as text.
 * Bytes that are printable stand for themselves; the others follow from U+0100 on.
 */
const characters: string[] = []
const values = new Map<string, number>()

const printable = (byte: number) =>
  (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255)
let next = 256
for (let byte = 0; byte < 256; byte++) {
  const character = String.fromCodePoint(printable(byte) ? byte : next++)
  characters.push(character)
  values.set(character, byte)
}

/** The 256 characters in byte order: the first tokens of every byte-level vocabulary. */
export const byteCharacters: readonly string[] = characters

/** A text as one character per UTF-8 byte. */
export function spellBytes(text: string): string[] {
  return [...Buffer.from(text, "utf8")].map((byte) => characters[byte] as string)
}

/** The bytes behind a spelled token. */
export function bytesOf(token: string): number[] {
  return [...token].map((character) => values.get(character) as number)
}
