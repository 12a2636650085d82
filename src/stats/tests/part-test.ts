import { studentTwoSided } from "../distributions.ts"
import type { UnitNumbers } from "../resampling/units.ts"

/** The mean of a part of some values beside that of the rest. @public */
export interface PartTest {
  /** Mean of the rest. */
  readonly rest: number
  /** Two-sided p of "the part's mean is the rest's". */
  readonly p: number
}

/**
 * Tests the mean of a part of values against that of the rest: Welch's t over units, where each side varies as the side of the larger
 * variance does, so that a few values that happen to be alike are no evidence. Null where a side has fewer than two units, or nothing
 * varies.
 *
 * @param isInside whether the value at a position belongs to the part
 * @public
 */
export function partTest(
  values: Float64Array,
  units: UnitNumbers,
  isInside: (position: number) => boolean,
): PartTest | null {
  const inside = new Uint8Array(values.length)
  for (let i = 0; i < values.length; i++) inside[i] = Number(isInside(i))
  const [part, rest] = [momentsOf(values, units, inside, 1), momentsOf(values, units, inside, 0)]
  if (part.units < 2 || rest.units < 2) return null
  const spread = Math.max(part.spread, rest.spread)
  if (spread === 0) return null
  const [a, b] = [spread / part.units, spread / rest.units]
  const degrees = (a + b) ** 2 / (a ** 2 / (part.units - 1) + b ** 2 / (rest.units - 1))
  return { rest: rest.mean, p: studentTwoSided((part.mean - rest.mean) / Math.sqrt(a + b), degrees) }
}

/** Mean of the values of one side, its units, and what the mean's variance is with one unit. */
function momentsOf(values: Float64Array, { of, count }: UnitNumbers, inside: Uint8Array, side: 0 | 1) {
  const sums = new Float64Array(count)
  const sizes = new Float64Array(count)
  let [total, n] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    if (inside[i] !== side) continue
    const unit = of[i] as number
    sums[unit]! += values[i] as number
    sizes[unit]! += 1
    total += values[i] as number
    n++
  }
  const mean = total / n
  let [units, squares] = [0, 0]
  for (let unit = 0; unit < count; unit++) {
    const size = sizes[unit] as number
    if (size === 0) continue
    units++
    squares += ((sums[unit] as number) - size * mean) ** 2
  }
  return { mean, units, spread: units < 2 ? 0 : (squares * units ** 2) / ((units - 1) * n ** 2) }
}
