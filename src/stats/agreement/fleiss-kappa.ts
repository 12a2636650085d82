import { sortedCategories } from "./cohen-kappa.ts"

/**
 * Fleiss' kappa: agreement of a fixed number of raters per item beyond chance, for nominal categories. NaN when only one
 * category occurs (agreement by chance is then certain). Fleiss 1971. `randolph` takes 1 / k as the chance agreement
 * ("free marginal").
 *
 * @param ratings items × raters, no missing values
 * @public
 */
export function fleissKappa(
  ratings: readonly (readonly (string | number)[])[],
  chance: "fleiss" | "randolph" = "fleiss",
): number {
  const categories = sortedCategories(ratings.flat())
  const raters = ratings[0]?.length ?? 0
  const shares = new Map(categories.map((category) => [category, 0]))
  let agreement = 0
  for (const item of ratings) {
    const counts = new Map<string | number, number>()
    for (const rating of item) counts.set(rating, (counts.get(rating) ?? 0) + 1)
    let pairs = 0
    for (const [category, count] of counts) {
      pairs += count * (count - 1)
      shares.set(category, (shares.get(category) ?? 0) + count)
    }
    agreement += pairs / (raters * (raters - 1))
  }
  const observed = agreement / ratings.length
  let expected = 1 / categories.length
  if (chance === "fleiss") {
    expected = 0
    for (const count of shares.values()) expected += (count / (ratings.length * raters)) ** 2
  }
  return categories.length < 2 ? Number.NaN : (observed - expected) / (1 - expected)
}
