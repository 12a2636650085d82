import { sortedCategories } from "./cohen-kappa.ts"

/** Scale of the ratings: it decides how far apart two values are. @public */
export type MeasurementLevel = "nominal" | "ordinal" | "interval" | "ratio"

/**
 * Krippendorff's alpha: agreement of any number of raters with missing ratings, on any scale. 1 is perfect, 0 is chance,
 * below 0 is systematic disagreement; NaN when fewer than two distinct values can be paired. Krippendorff 2011,
 * "Computing Krippendorff's Alpha-Reliability".
 *
 * @param ratings items × raters; null is missing
 * @public
 */
export function krippendorffAlpha(
  ratings: readonly (readonly (number | null)[])[],
  level: MeasurementLevel = "nominal",
): number {
  const items = ratings.filter(hasTwo)
  const seen = new Set<number>()
  for (const item of items) for (const value of item) if (value !== null) seen.add(value)
  const values = sortedCategories([...seen])
  if (values.length < 2) return Number.NaN
  const k = values.length
  const position = new Map(values.map((value, i) => [value, i]))
  // Coincidence matrix: every ordered pair of ratings of one item, weighted by 1 / (m − 1). Intervals call this thousands of times:
  // nothing is made for an item.
  const coincidences = new Float64Array(k * k)
  const counts = new Float64Array(k)
  for (const item of items) {
    counts.fill(0)
    let m = 0
    for (const value of item) {
      if (value === null) continue
      counts[position.get(value) as number]!++
      m++
    }
    for (let i = 0; i < k; i++) {
      const count = counts[i] as number
      if (count === 0) continue
      for (let j = 0; j < k; j++)
        coincidences[i * k + j]! += (count * ((counts[j] as number) - Number(i === j))) / (m - 1)
    }
  }
  const totals = new Float64Array(k)
  for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) totals[i]! += coincidences[i * k + j] as number
  const n = totals.reduce((sum, total) => sum + total, 0)
  let observed = 0
  let expected = 0
  for (let i = 0; i < k; i++)
    for (let j = 0; j < k; j++) {
      const distance = squaredDistance(values, totals, i, j, level)
      observed += distance * (coincidences[i * k + j] as number)
      expected += distance * (totals[i] as number) * (totals[j] as number)
    }
  return 1 - ((n - 1) * observed) / expected
}

function hasTwo(item: readonly (number | null)[]): boolean {
  let m = 0
  for (const value of item) if (value !== null && ++m === 2) return true
  return false
}

function squaredDistance(
  values: readonly number[],
  totals: Float64Array,
  i: number,
  j: number,
  level: MeasurementLevel,
): number {
  if (i === j) return 0
  const a = values[i] as number
  const b = values[j] as number
  switch (level) {
    case "nominal":
      return 1
    case "interval":
      return (a - b) ** 2
    case "ratio":
      return ((a - b) / (a + b)) ** 2
    case "ordinal": {
      let between = -((totals[i] as number) + (totals[j] as number)) / 2
      for (let g = Math.min(i, j); g <= Math.max(i, j); g++) between += totals[g] as number
      return between ** 2
    }
  }
}
