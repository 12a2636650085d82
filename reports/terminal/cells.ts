import stringWidth from "string-width"

/** Width of a text in terminal cells; escape codes have none. */
export function cells(text: string): number {
  return stringWidth(text)
}

/** Words by the rules of Unicode, for scripts that put no space between them, too; made at first use, which few commands have. */
let segmenter: Intl.Segmenter | undefined

/**
 * What stands between two spaces in parts of a width, as far as it may be broken: behind a joint such as "-" or "/", and between
 * the words of scripts without spaces. Nothing is lost; a part that may not be broken can be wider.
 *
 * @example partsOfWord("organisation-large-8b", 14) // ["organisation-", "large-8b"]
 */
export function partsOfWord(text: string, width: number): string[] {
  const parts: string[] = []
  let part = ""
  for (const piece of pieces(text)) {
    if (part !== "" && cells(part + piece) > width) {
      parts.push(part)
      part = ""
    }
    part += piece
  }
  return part === "" ? parts : [...parts, part]
}

/** Words with the signs behind them; brackets that open go with what follows. */
function pieces(text: string): string[] {
  const segments: string[] = []
  let opening = ""
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" })
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (/^[\p{Ps}\p{Pi}]$/u.test(segment)) opening += segment
    else if (isWordLike || opening !== "" || segments.length === 0) {
      segments.push(opening + segment)
      opening = ""
    } else segments[segments.length - 1] += segment
  }
  if (opening !== "") segments.push(opening)
  return segments
}
