/** Windows that are read of one text, at most: the rest of it is left out. */
const maxWindows = 64

/** Characters of a piece, at most: languages without spaces are cut within their long "words". */
const longestPiece = 16

/**
 * Cuts a text into windows of whole words that overlap by a quarter, each of at most `room` tokens. No word is cut apart, so that
 * any tokenizer reads a window as it reads a text.
 *
 * @param tokensOf number of tokens of a piece of text
 * @example textWindows("one two three four five six", 4, () => 1) // ["one two three four", " four five six"]
 */
export function textWindows(text: string, room: number, tokensOf: (piece: string) => number): readonly string[] {
  const pieces = piecesOf(text)
  const lengths = pieces.map(tokensOf)
  const windows: string[] = []
  let start = 0
  while (start < pieces.length && windows.length < maxWindows) {
    let end = start
    let tokens = 0
    // One piece at least, however long it is.
    while (end < pieces.length && (end === start || tokens + (lengths[end] as number) <= room))
      tokens += lengths[end++] as number
    windows.push(pieces.slice(start, end).join(""))
    if (end === pieces.length) break
    let shared = 0
    let next = end
    while (next - 1 > start && shared + (lengths[next - 1] as number) <= room / 4) shared += lengths[--next] as number
    start = next
  }
  return windows.length === 0 ? [text] : windows
}

/** The beginning of a text, of at most `room` tokens in whole words. */
export function firstWindow(text: string, room: number, tokensOf: (piece: string) => number): string {
  let kept = ""
  let tokens = 0
  for (const piece of piecesOf(text)) {
    tokens += tokensOf(piece)
    if (tokens > room) break
    kept += piece
  }
  return kept
}

/** Words, each with the white space before it. */
function piecesOf(text: string): readonly string[] {
  return (text.match(/\s*\S+/gu) ?? []).flatMap((word) => {
    if (word.length <= 2 * longestPiece) return [word]
    const letters = [...word]
    return Array.from({ length: Math.ceil(letters.length / longestPiece) }, (_, i) =>
      letters.slice(i * longestPiece, (i + 1) * longestPiece).join(""),
    )
  })
}
