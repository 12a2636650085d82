import { sortedCategories } from "./cohen-kappa.ts"

/**
 * Gwet's AC2: AC1 for ordered or numeric categories, where a near miss counts as part of an agreement. Takes missing ratings. 1 is perfect,
 * 0 is chance; NaN when only one category occurs or no item has two ratings. With weights `none` it is AC1. Gwet 2014, "Handbook of
 * Inter-Rater Reliability", 4th ed., with the weights of its section 3.5.
 *
 * @param ratings items × raters; null is missing
 * @param weights of two categories: `quadratic` 1 − (a − b)² / range², `linear` 1 − |a − b| / range, by the categories' values
 * @public
 */
export function gwetAc2(
  ratings: readonly (readonly (number | null)[])[],
  weights: "none" | "linear" | "quadratic" = "quadratic",
): number {
  const items = ratings.map((item) => item.filter((value) => value !== null)).filter(({ length }) => length > 0)
  const categories = sortedCategories(items.flat())
  const k = categories.length
  const pairable = items.filter(({ length }) => length > 1)
  if (k < 2 || pairable.length === 0) return Number.NaN
  const range = (categories.at(-1) as number) - (categories[0] as number)
  const weight = (a: number, b: number): number => {
    const distance = Math.abs(a - b) / range
    return weights === "none" ? Number(a === b) : 1 - (weights === "linear" ? distance : distance ** 2)
  }
  let observed = 0
  for (const item of pairable) {
    let near = 0
    for (const [i, a] of item.entries()) for (const [j, b] of item.entries()) if (i !== j) near += weight(a, b)
    observed += near / (item.length * (item.length - 1)) / pairable.length
  }
  const shares = categories.map(
    (category) =>
      items.reduce((sum, item) => sum + item.filter((value) => value === category).length / item.length, 0) /
      items.length,
  )
  const weightSum = categories.reduce((sum, a) => sum + categories.reduce((row, b) => row + weight(a, b), 0), 0)
  const expected = (weightSum / (k * (k - 1))) * shares.reduce((sum, share) => sum + share * (1 - share), 0)
  return (observed - expected) / (1 - expected)
}
