/**
 * Values grouped into the units that are resampled together: samples with their repeats, or clusters of samples.
 * The mean over all values is Σ sums / Σ sizes.
 */
export interface Units {
  readonly sums: Float64Array
  readonly sizes: Float64Array
  /** Positions of the values of each unit. */
  readonly members: readonly (readonly number[])[]
  /** Whether every unit holds exactly one value. */
  readonly single: boolean
}

/** Groups values by key, in the order in which the keys first appear: sort by sample id before. */
export function groupUnits(values: ArrayLike<number>, keys: readonly string[]): Units {
  const members = new Map<string, number[]>()
  keys.forEach((key, i) => {
    const list = members.get(key)
    if (list) list.push(i)
    else members.set(key, [i])
  })
  const lists = [...members.values()]
  const sumOf = (list: readonly number[]) => list.reduce((sum, i) => sum + (values[i] as number), 0)
  return {
    sums: Float64Array.from(lists, sumOf),
    sizes: Float64Array.from(lists, (list) => list.length),
    members: lists,
    single: lists.length === values.length,
  }
}

/**
 * Standard error of the mean over units (Miller's clustered formula with the √(C / (C − 1)) correction; s / √n for
 * single values). NaN for one unit.
 */
export function unitStandardError({ sums, sizes }: Units): number {
  let total = 0
  let count = 0
  for (let u = 0; u < sums.length; u++) {
    total += sums[u] as number
    count += sizes[u] as number
  }
  const centre = total / count
  let squares = 0
  for (let u = 0; u < sums.length; u++) squares += ((sums[u] as number) - centre * (sizes[u] as number)) ** 2
  const n = sums.length
  return n < 2 ? Number.NaN : (Math.sqrt(squares) / count) * Math.sqrt(n / (n - 1))
}
