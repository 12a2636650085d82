/** Shrout and Fleiss' six intraclass correlations. @public */
export interface IntraclassCorrelations {
  /** One-way: raters differ from item to item. */
  readonly icc1: number
  /** Two-way random: raters are a sample of many. */
  readonly icc2: number
  /** Two-way mixed: these raters only. */
  readonly icc3: number
  /** The same for the mean of all k raters. */
  readonly icc1k: number
  readonly icc2k: number
  readonly icc3k: number
}

/**
 * Intraclass correlations of numeric ratings: share of the variance that is between items. Shrout & Fleiss 1979.
 *
 * @param ratings items × raters, no missing values
 * @public
 */
export function intraclassCorrelations(ratings: readonly (readonly number[])[]): IntraclassCorrelations {
  const n = ratings.length
  const k = ratings[0]?.length ?? 0
  const grand = ratings.flat().reduce((sum, value) => sum + value, 0) / (n * k)
  const itemMeans = ratings.map((item) => item.reduce((sum, value) => sum + value, 0) / k)
  const raterMeans = Array.from(
    { length: k },
    (_, j) => ratings.reduce((sum, item) => sum + (item[j] as number), 0) / n,
  )
  let total = 0
  for (const item of ratings) for (const value of item) total += (value - grand) ** 2
  const items = k * itemMeans.reduce((sum, value) => sum + (value - grand) ** 2, 0)
  const raters = n * raterMeans.reduce((sum, value) => sum + (value - grand) ** 2, 0)
  const between = items / (n - 1)
  const within = (total - items) / (n * (k - 1))
  const judges = raters / (k - 1)
  const residual = (total - items - raters) / ((n - 1) * (k - 1))
  return {
    icc1: (between - within) / (between + (k - 1) * within),
    icc2: (between - residual) / (between + (k - 1) * residual + (k * (judges - residual)) / n),
    icc3: (between - residual) / (between + (k - 1) * residual),
    icc1k: (between - within) / between,
    icc2k: (between - residual) / (between + (judges - residual) / n),
    icc3k: (between - residual) / between,
  }
}
