/** Longer texts are answers and documents, where a line may end behind a hyphen; longer words may have to. */
const [maxTextLength, maxWordLength] = [4000, 20]

/** A piece of a text, and whether no line may end inside of it. */
export interface TextPiece {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * A text in pieces of which names and dates with a hyphen are to stay on one line.
 *
 * @example unbrokenPieces("s-q4_0 is it") // [{ text: "s-q4_0", isWhole: true }, { text: " is it", isWhole: false }]
 */
export function unbrokenPieces(text: string): readonly TextPiece[] {
  if (text.length > maxTextLength || !text.includes("-")) return [{ text, isWhole: false }]
  const pieces: TextPiece[] = []
  for (const part of text.split(/(\s+)/)) {
    const isWhole = part.length <= maxWordLength && /[^-]-[^-]/.test(part)
    const last = pieces.at(-1)
    if (!isWhole && last && !last.isWhole) pieces[pieces.length - 1] = { text: last.text + part, isWhole }
    else if (part !== "") pieces.push({ text: part, isWhole })
  }
  return pieces
}
