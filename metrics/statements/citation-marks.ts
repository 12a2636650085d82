/** A mark that names passages by their number: "[2]", "[1, 3]", "[2-4]", "【1】", "[^1]". */
export interface CitationMark {
  /** Numbers of the passages, 1 is the first; each once, in the order of the text. */
  readonly passages: readonly number[]
  readonly start: number
  readonly end: number
}

/** Passages that a range such as "[1-9]" may span. */
const widestRange = 50

const mark = /[[【]\^?(\d{1,3}(?:\s{0,3}[,;–-]\s{0,3}\d{1,3}){0,20})(?:†[^\]】\n]{0,40})?[\]】](?!\()/gu

/**
 * The citation marks of a text. Brackets that hold anything but passage numbers (1 to 999) are none: "[0, 10]", "[1815]",
 * "[sic]"; neither is the text of a Markdown link, "[1](https://…)". Linear in the text.
 *
 * @example citationMarks("Ada was born in London [1][3].") // passages [1] and [3]
 */
export function citationMarks(text: string): readonly CitationMark[] {
  return [...text.matchAll(mark)].flatMap((match) => {
    const passages = (match[1] as string).split(/[,;]/).flatMap(range)
    if (passages.length === 0 || passages.some((passage) => passage === 0)) return []
    return [{ passages: [...new Set(passages)], start: match.index, end: match.index + match[0].length }]
  })
}

/**
 * The text with each citation mark replaced by as many spaces, so that places in it stay what they were.
 *
 * @example withoutCitationMarks("Born in 1815 [2].") // "Born in 1815    ."
 */
export function withoutCitationMarks(text: string): string {
  let plain = ""
  let from = 0
  for (const { start, end } of citationMarks(text)) {
    plain += text.slice(from, start) + " ".repeat(end - start)
    from = end
  }
  return plain + text.slice(from)
}

/**
 * The text without its citation marks and the blanks before them: what is given to a model of entailment.
 *
 * @example statementText("Ada was born in London [1][3].") // "Ada was born in London."
 */
export function statementText(text: string): string {
  return withoutCitationMarks(text)
    .replace(/\s+/gu, " ")
    .replace(/ (?=[.,;:!?](?: |$))/gu, "")
    .trim()
}

/** "2" is passage 2, "2-4" are passages 2 to 4; a range that goes down or is too wide makes no mark. */
function range(part: string): number[] {
  const [first = 0, last = first] = part.split(/[–-]/).map(Number)
  if (last < first || last - first > widestRange) return [0]
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}
