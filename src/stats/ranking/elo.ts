/** How a match between two players ended. @public */
export interface Match {
  readonly a: string
  readonly b: string
  /** 1: a won; 0: b won; 0.5: tie. */
  readonly score: number
}

/**
 * Elo ratings by going through the matches once, in order: the result depends on that order, so prefer
 * {@link bradleyTerry} for a ranking. FastChat's constants by default (k 4, scale 400, base 10, start 1000).
 * @public
 */
export function eloRatings(
  matches: readonly Match[],
  options: { readonly k?: number; readonly scale?: number; readonly base?: number; readonly start?: number } = {},
): Map<string, number> {
  const { k = 4, scale = 400, base = 10, start = 1000 } = options
  const ratings = new Map<string, number>()
  for (const { a, b, score } of matches) {
    const ratingA = ratings.get(a) ?? start
    const ratingB = ratings.get(b) ?? start
    const expected = 1 / (1 + base ** ((ratingB - ratingA) / scale))
    ratings.set(a, ratingA + k * (score - expected))
    ratings.set(b, ratingB + k * (expected - score))
  }
  return ratings
}
