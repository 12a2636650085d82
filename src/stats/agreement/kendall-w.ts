import { ranks } from "../ranks.ts"

/**
 * Kendall's coefficient of concordance W of several rankings, 0..1, without correction for ties: 12·S / (m²(n³ − n)).
 *
 * @param ratings items × raters; each rater's ratings are ranked, ties sharing ranks
 * @public
 */
export function kendallW(ratings: readonly (readonly number[])[]): number {
  const n = ratings.length
  const m = ratings[0]?.length ?? 0
  const sums = new Float64Array(n)
  for (let rater = 0; rater < m; rater++)
    ranks(ratings.map((item) => item[rater] as number)).forEach((rank, i) => {
      sums[i]! += rank
    })
  const centre = (m * (n + 1)) / 2
  let squares = 0
  for (const sum of sums) squares += (sum - centre) ** 2
  return (12 * squares) / (m * m * (n ** 3 - n))
}
