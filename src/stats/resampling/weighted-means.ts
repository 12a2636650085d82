import { weightedMean } from "./resample-counts.ts"

/** Columns that are added up side by side: each sum waits for its own last addition only. */
const together = 4

/**
 * {@link weightedMean} of several columns at once, to the same digits: a function of the counts. Columns without NaN share one pass.
 *
 * @returns a function that writes the mean of column k to `into[k]`
 */
export function weightedMeans(columns: readonly Float64Array[]): (counts: Uint16Array, into: Float64Array) => void {
  const whole = columns.flatMap((column, k) => (column.some(Number.isNaN) ? [] : [k]))
  const rest = columns.flatMap((column, k) => (whole.includes(k) ? [] : [[k, column] as const]))
  const groups = Array.from({ length: Math.ceil(whole.length / together) }, (_, group) => {
    const positions = whole.slice(group * together, (group + 1) * together)
    const [a, b = a, c = a, d = a] = positions.map((k) => columns[k] as Float64Array)
    return { places: positions, lists: [a, b, c, d] as [Float64Array, Float64Array, Float64Array, Float64Array] }
  })
  const sums = new Float64Array(together)
  return (counts, into) => {
    for (const [k, column] of rest) into[k] = weightedMean(column, counts)
    for (const { places, lists } of groups) {
      const weight = addFour(lists, counts, sums)
      places.forEach((k, i) => {
        into[k] = weight === 0 ? Number.NaN : (sums[i] as number) / weight
      })
    }
  }
}

/** Weighted sums of four columns; returns the sum of the weights. */
function addFour(
  [first, second, third, fourth]: readonly [Float64Array, Float64Array, Float64Array, Float64Array],
  counts: Uint16Array,
  sums: Float64Array,
): number {
  let [a, b, c, d, weight] = [0, 0, 0, 0, 0]
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!
    weight += count
    a += first[i]! * count
    b += second[i]! * count
    c += third[i]! * count
    d += fourth[i]! * count
  }
  sums[0] = a
  sums[1] = b
  sums[2] = c
  sums[3] = d
  return weight
}
