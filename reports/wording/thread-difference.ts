/** What of an entry of a thread a reader compares. */
export interface ComparedEntry {
  readonly who: string
  readonly label: string
  readonly text: string
}

/** Where two threads part. */
export interface ThreadDifference {
  /** Number of the first entry that is not the same in both, from 0. */
  readonly at: number
  /** The user's turn that it belongs to, from 1. */
  readonly turn: number
}

/**
 * Where two episodes of one sample part: the first entry that is another, or that one of them has and the other has not. Times do not
 * count. Null where they are the same.
 *
 * @example threadDifference([user, "yes"], [user, "no"]) // { at: 1, turn: 1 }
 */
export function threadDifference(
  left: readonly ComparedEntry[],
  right: readonly ComparedEntry[],
): ThreadDifference | null {
  const max = Math.max(left.length, right.length)
  for (let at = 0; at < max; at++) {
    const [a, b] = [left[at], right[at]]
    if (a && b && a.who === b.who && a.label === b.label && a.text === b.text) continue
    const asked = (a ?? b)?.who === "user" ? at + 1 : at
    const turn = (left.length > at ? left : right).slice(0, asked).filter(({ who }) => who === "user").length
    return { at, turn: Math.max(1, turn) }
  }
  return null
}
