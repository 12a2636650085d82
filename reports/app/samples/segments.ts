import type { AnswerText } from "../../page/payload.ts"
import type { DiffPiece } from "./word-diff.ts"

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
      own: own.some((one) => one.start <= start && end <= one.end),
      passages: inside.filter((one) => one.start <= start && end <= one.end).map(({ position }) => position),
      ends: inside.filter((one) => one.end === end).map(({ position }) => position),
    }
  })
}
