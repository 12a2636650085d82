import { sortedCategories } from "./cohen-kappa.ts"

/**
 * Gwet's AC1: agreement beyond chance that, unlike kappa, does not collapse when nearly every rating is the same
 * category. NaN when only one category occurs. Gwet 2008.
 *
 * @param ratings items × raters, no missing values
 * @public
 */
export function gwetAc1(ratings: readonly (readonly (string | number)[])[]): number {
  const categories = sortedCategories(ratings.flat())
  const k = categories.length
  if (k < 2) return Number.NaN
  const raters = ratings[0]?.length ?? 0
  let observed = 0
  const shares = new Map(categories.map((category) => [category, 0]))
  for (const item of ratings)
    for (const category of categories) {
      const count = item.filter((rating) => rating === category).length
      observed += (count * (count - 1)) / (raters * (raters - 1)) / ratings.length
      shares.set(category, (shares.get(category) ?? 0) + count / raters / ratings.length)
    }
  let expected = 0
  for (const share of shares.values()) expected += (share * (1 - share)) / (k - 1)
  return (observed - expected) / (1 - expected)
}
