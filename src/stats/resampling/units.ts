/**
 * Values grouped into the units that are resampled together: samples with their repeats, or clusters of samples.
 * The mean over all values is Σ sums / Σ sizes.
 * @experimental
 */
export interface Units {
  readonly sums: Float64Array
  readonly sizes: Float64Array
  /** Positions of the values of each unit. */
  readonly members: readonly (readonly number[])[]
  /** Whether every unit holds exactly one value. */
  readonly single: boolean
}

/** The unit of each value, numbered from 0 in the order in which units first appear. @public */
export interface UnitNumbers {
  readonly of: Int32Array
  readonly count: number
}

/** Groups values by key, in the order in which the keys first appear: sort by sample id before. */
export function groupUnits(values: ArrayLike<number>, keys: readonly string[]): Units {
  const units = numberUnits(keys)
  return { ...unitSums(values, units), members: unitMembers(units) }
}

/** Numbers units by their keys. */
export function numberUnits(keys: readonly string[] | Int32Array): UnitNumbers {
  const numbers = new Map<string | number, number>()
  const of = new Int32Array(keys.length)
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string | number
    const existing = numbers.get(key)
    of[i] = existing ?? numbers.size
    if (existing === undefined) numbers.set(key, numbers.size)
  }
  return { of, count: numbers.size }
}

/** Sum and number of the values of each unit. */
export function unitSums(values: ArrayLike<number>, units: UnitNumbers): Omit<Units, "members"> {
  const { of, count } = units
  const sums = new Float64Array(count)
  const sizes = new Float64Array(count)
  for (let i = 0; i < of.length; i++) {
    const unit = of[i] as number
    sums[unit]! += values[i] as number
    sizes[unit]! += 1
  }
  return { sums, sizes, single: count === of.length }
}

/** Positions of the values of each unit. */
export function unitMembers({ of, count }: UnitNumbers): number[][] {
  const members = Array.from({ length: count }, (): number[] => [])
  for (let i = 0; i < of.length; i++) members[of[i] as number]?.push(i)
  return members
}

/**
 * Standard error of the mean over units (Miller's clustered formula with the √(C / (C − 1)) correction; s / √n for
 * single values). NaN for one unit.
 */
export function unitStandardError({ sums, sizes }: Pick<Units, "sums" | "sizes">): number {
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
