import { studentTwoSided } from "../distributions.ts"
import type { UnitNumbers } from "../resampling/units.ts"

/** The mean of a part of some values beside that of the rest. @public */
export interface PartTest {
  /** Mean of the rest. */
  readonly rest: number
  /** Two-sided p of "the part's mean is the rest's". */
  readonly p: number
  /** Two-sided p of "the part's mean is 0". */
  readonly pOfZero: number
}

/** Sums over units, of which each has the sum S and the number n of its values: those of disjoint sets of units add up. @experimental */
export interface UnitMoments {
  readonly units: number
  /** Σ n, Σ S, Σ S², Σ S·n, Σ n². */
  readonly values: number
  readonly sum: number
  readonly squares: number
  readonly products: number
  readonly sizes: number
}

/**
 * Tests the mean of a part of values against that of the rest: Welch's t over units, where each side varies as the side of the larger
 * variance does, so that a few values that happen to be alike are no evidence. A unit with values on both sides is one on each. Null
 * where a side has fewer than two units, or nothing varies.
 *
 * @param isInside whether the value at a position belongs to the part
 * @public
 */
export function partTest(
  values: Float64Array,
  units: UnitNumbers,
  isInside: (position: number) => boolean,
): PartTest | null {
  const [rest, part] = momentsByCell(values, units, 2, (i) => Number(isInside(i)))
  return part && rest ? partTestOf(part, rest) : null
}

/** {@link partTest} of two sides by their moments. @experimental */
export function partTestOf(part: UnitMoments, rest: UnitMoments): PartTest | null {
  if (part.units < 2 || rest.units < 2) return null
  const spread = Math.max(spreadOf(part), spreadOf(rest))
  if (spread === 0) return null
  const [a, b] = [spread / part.units, spread / rest.units]
  const degrees = (a + b) ** 2 / (a ** 2 / (part.units - 1) + b ** 2 / (rest.units - 1))
  const [inside, outside] = [part.sum / part.values, rest.sum / rest.values]
  return {
    rest: outside,
    p: studentTwoSided((inside - outside) / Math.sqrt(a + b), degrees),
    pOfZero: studentTwoSided(inside / Math.sqrt(a), part.units - 1),
  }
}

/** Moments of what is in a set and not in a part of it. @experimental */
export function momentsWithout(all: UnitMoments, part: UnitMoments): UnitMoments {
  return combined(all, part, -1)
}

/** Moments of two sets together. @experimental */
export function momentsTogether(unitMoments: UnitMoments, other: UnitMoments): UnitMoments {
  return combined(unitMoments, other, 1)
}

/**
 * The moments of each of some cells that values fall into; a unit with values in several cells is one in each.
 *
 * @param cellOf number of the cell of the value at a position; below 0: in none
 * @experimental
 */
export function momentsByCell(
  values: Float64Array,
  { of }: UnitNumbers,
  cells: number,
  cellOf: (position: number) => number,
): readonly UnitMoments[] {
  const positions = new Map<number, number>()
  const sums: number[] = []
  const sizes: number[] = []
  for (let i = 0; i < values.length; i++) {
    const cell = cellOf(i)
    if (cell < 0) continue
    const key = (of[i] as number) * cells + cell
    const index = positions.get(key) ?? sums.length
    if (index === sums.length) {
      positions.set(key, index)
      sums.push(0)
      sizes.push(0)
    }
    sums[index]! += values[i] as number
    sizes[index]! += 1
  }
  const moments = Array.from({ length: cells }, () => ({ ...noMoments }))
  for (const [key, position] of positions) {
    const cell = moments[key % cells] as { -readonly [Name in keyof UnitMoments]: number }
    const [sum, size] = [sums[position] as number, sizes[position] as number]
    cell.units += 1
    cell.values += size
    cell.sum += sum
    cell.squares += sum ** 2
    cell.products += sum * size
    cell.sizes += size ** 2
  }
  return moments
}

const noMoments: UnitMoments = { units: 0, values: 0, sum: 0, squares: 0, products: 0, sizes: 0 }

function combined(unitMoments: UnitMoments, other: UnitMoments, sign: 1 | -1): UnitMoments {
  return {
    units: unitMoments.units + sign * other.units,
    values: unitMoments.values + sign * other.values,
    sum: unitMoments.sum + sign * other.sum,
    squares: unitMoments.squares + sign * other.squares,
    products: unitMoments.products + sign * other.products,
    sizes: unitMoments.sizes + sign * other.sizes,
  }
}

/** What the variance of a mean is with one unit. */
function spreadOf({ units, values, sum, squares, products, sizes }: UnitMoments): number {
  const mean = sum / values
  const around = Math.max(0, squares - 2 * mean * products + mean ** 2 * sizes)
  // What is left over of differences that cancel out is no variance.
  const varying = around < 1e-12 * Math.max(squares, 1) ? 0 : around
  return (varying * units ** 2) / ((units - 1) * values ** 2)
}
