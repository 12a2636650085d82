/**
 * The candidate that a mistyped word was most likely meant to be: smallest edit distance (Levenshtein, and neighbours that have changed places), at most a third
 * of the word's length and 3; undefined when none is near.
 *
 * @example nearest("varaints", ["variants", "metrics"]) // "variants"
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.min(3, Math.max(1, Math.ceil(word.length / 3)))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase().slice(0, 64), candidate.toLowerCase().slice(0, 64))
    if (distance < bestDistance) {
      bestDistance = distance
      best = candidate
    }
  }
  return best
}

/** Letters that are missing, too many, others, or two that have changed places: each counts as one. */
function editDistance(a: string, b: string): number {
  let [before, previous]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      current[j] = Math.min(
        (previous[j] as number) + 1,
        (current[j - 1] as number) + 1,
        (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, previous] = [previous, current]
  }
  return previous[b.length] as number
}
