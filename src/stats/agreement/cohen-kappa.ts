/** How far apart two categories are: any difference counts 1, by steps, or by squared steps. @public */
export type KappaWeights = "none" | "linear" | "quadratic"

/**
 * Cohen's kappa: agreement of two raters beyond what their own category frequencies would give by chance. Weighted for
 * ordinal scales. −1..1; NaN when both raters use one and the same single category. Cohen 1960, 1968.
 *
 * @param categories all categories in order; for numbers their ascending values by default
 * @throws RangeError for a weighting that does not exist, raters of unequal length and a category that is not among `categories`
 * @example cohensKappa([1, 1, 2, 2], [1, 2, 2, 2]) // 0.5
 * @public
 */
export function cohensKappa<Category extends string | number>(
  first: readonly Category[],
  second: readonly Category[],
  options: { readonly weights?: KappaWeights; readonly categories?: readonly Category[] } = {},
): number {
  const { weights = "none" } = options
  if (!["none", "linear", "quadratic"].includes(weights))
    throw new RangeError(`weights of kappa are "none", "linear" or "quadratic", not ${JSON.stringify(weights)}`)
  if (first.length !== second.length)
    throw new RangeError(`kappa needs two ratings of each item, not ${first.length} and ${second.length}`)
  const categories = options.categories ?? sortedCategories([...first, ...second])
  const position = new Map(categories.map((category, i) => [category, i]))
  const k = categories.length
  const table = new Float64Array(k * k)
  const rows = new Float64Array(k)
  const columns = new Float64Array(k)
  first.forEach((category, i) => {
    const row = position.get(category)
    const column = position.get(second[i] as Category)
    if (row === undefined || column === undefined)
      throw new RangeError(`${JSON.stringify(row === undefined ? category : second[i])} is not among the categories`)
    table[row * k + column]!++
    rows[row]!++
    columns[column]!++
  })
  let observed = 0
  let expected = 0
  for (let i = 0; i < k; i++)
    for (let j = 0; j < k; j++) {
      const distance = weights === "none" ? Number(i !== j) : weights === "linear" ? Math.abs(i - j) : (i - j) ** 2
      observed += distance * (table[i * k + j] as number)
      expected += (distance * (rows[i] as number) * (columns[j] as number)) / first.length
    }
  return expected === 0 ? Number.NaN : 1 - observed / expected
}

/** Distinct categories: numbers ascending, texts by their UTF-16 units. */
export function sortedCategories<Category extends string | number>(values: readonly Category[]): Category[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}
