import type { AnswerText } from "../../page/payload.ts"

/** A piece of a text that both have, or only this one. */
export interface DiffPiece {
  readonly text: string
  readonly own: boolean
}

const wordLimit = 600

/**
 * The words of two texts, each marked as common or its own (longest common subsequence). Texts of more than 600 words are
 * not compared: both come back whole, marked as common, and `compared` is false.
 */
export function wordDiff(a: string, b: string): { a: DiffPiece[]; b: DiffPiece[]; compared: boolean } {
  const [left, right] = [words(a), words(b)]
  if (left.length > wordLimit || right.length > wordLimit)
    return { a: [{ text: a, own: false }], b: [{ text: b, own: false }], compared: false }
  const width = right.length + 1
  const table = new Uint16Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      table[i * width + j] =
        left[i] === right[j]
          ? (table[(i + 1) * width + j + 1] as number) + 1
          : Math.max(table[(i + 1) * width + j] as number, table[i * width + j + 1] as number)
  const common = { a: new Set<number>(), b: new Set<number>() }
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      common.a.add(i++)
      common.b.add(j++)
    } else if ((table[(i + 1) * width + j] as number) >= (table[i * width + j + 1] as number)) i++
    else j++
  }
  return { a: pieces(left, common.a), b: pieces(right, common.b), compared: true }
}

/** Words with the white space behind them; the last one without it, so that a text's end makes no difference. */
function words(text: string): string[] {
  return text.match(/\s*[\p{L}\p{N}]+|\s*[^\p{L}\p{N}\s]|\s+$/gu) ?? []
}

function pieces(all: readonly string[], common: ReadonlySet<number>): DiffPiece[] {
  const result: { text: string; own: boolean }[] = []
  for (const [index, text] of all.entries()) {
    const own = !common.has(index)
    const last = result.at(-1)
    if (last && last.own === own) last.text += text
    else result.push({ text, own })
  }
  return result
}

/** A stretch of an answer's text over which nothing changes. */
export interface Segment {
  readonly text: string
  /** Only this side of the comparison has it. */
  readonly own: boolean
  /** Positions of the marked passages that cover it. */
  readonly passages: readonly number[]
  /** Positions of the marked passages that end with it: where their numbers stand. */
  readonly ends: readonly number[]
}

/**
 * An answer's text cut wherever a difference or a marked passage begins or ends. Nothing is lost: the texts of the
 * segments joined are the text. Passages that do not lie inside it are left out.
 */
export function segmentsOf(
  text: string,
  pieces: readonly DiffPiece[],
  highlights: NonNullable<AnswerText["highlights"]>,
): Segment[] {
  const inside = highlights.flatMap(([start, length], position) =>
    start >= 0 && length > 0 && start + length <= text.length ? [{ start, end: start + length, position }] : [],
  )
  const own: { readonly start: number; readonly end: number }[] = []
  let at = 0
  for (const piece of pieces) {
    if (piece.own) own.push({ start: at, end: at + piece.text.length })
    at += piece.text.length
  }
  const cuts = [...new Set([0, text.length, ...[...inside, ...own].flatMap(({ start, end }) => [start, end])])]
  cuts.sort((a, b) => a - b)
  return cuts.slice(1).map((end, index) => {
    const start = cuts[index] as number
    return {
      text: text.slice(start, end),
      own: own.some((span) => span.start <= start && end <= span.end),
      passages: inside.filter((span) => span.start <= start && end <= span.end).map(({ position }) => position),
      ends: inside.filter((span) => span.end === end).map(({ position }) => position),
    }
  })
}
