/** A text that arrives in pieces, and perhaps once more as a whole. */
export interface JoinedText {
  /** Takes a piece. */
  add(piece: string): void
  /**
   * Takes the text so far, or all of it, as some services send it behind the pieces; gives what of it is new. What does not begin with
   * the pieces is the same text in another form, and adds nothing.
   */
  addWhole(text: string): string
  text(): string
}

/** An empty text. */
export function createJoinedText(): JoinedText {
  const pieces: string[] = []
  let joined = ""
  const text = (): string => {
    if (pieces.length > 0) joined += pieces.splice(0).join("")
    return joined
  }
  return {
    add: (piece) => void pieces.push(piece),
    addWhole(whole) {
      const rest = whole.startsWith(text()) ? whole.slice(joined.length) : ""
      pieces.push(rest)
      return rest
    },
    text,
  }
}
