/** A mean score under each rule for items that have no answer. */
export interface UnansweredPolicies {
  readonly n: number
  readonly unanswered: number
  /** Unanswered counts as the lowest score: what a user gets. The lower bound. */
  readonly asWrong: number
  /** Unanswered counts as a guess among the item's options. */
  readonly atChance: number
  /** Only answered items count; null when there are none. What many leaderboards print, and the most flattering honest one. */
  readonly excluded: number | null
  /** Unanswered counts as right: the upper bound. */
  readonly asRight: number
}

/**
 * What the rule for unanswered items does to a score. The two bounds hold whatever the missing answers would have been;
 * a difference between two models that is smaller than what the rule moves is a difference of rules.
 *
 * @param scores 0..1 per item; null where no answer could be read
 * @param chance probability of guessing each item right (1 / number of options)
 * @example unansweredPolicies([1, 0, null, null], [0.25, 0.25, 0.25, 0.25])
 * // { n: 4, unanswered: 2, asWrong: 0.25, atChance: 0.375, excluded: 0.5, asRight: 0.75 }
 */
export function unansweredPolicies(scores: readonly (number | null)[], chance: readonly number[]): UnansweredPolicies {
  const n = scores.length
  if (n === 0 || chance.length !== n) throw new RangeError("unansweredPolicies needs a score and a chance per item")
  let sum = 0
  let guessed = 0
  let unanswered = 0
  scores.forEach((score, i) => {
    if (score === null) {
      unanswered++
      guessed += chance[i] as number
    } else sum += score
  })
  return {
    n,
    unanswered,
    asWrong: sum / n,
    atChance: (sum + guessed) / n,
    excluded: unanswered === n ? null : sum / (n - unanswered),
    asRight: (sum + unanswered) / n,
  }
}
