import { createRandom } from "../core/random.ts"

/**
 * Different cells of a grid, spread evenly over all of its axes: the first points of Halton's sequence (Halton 1960) with a random shift
 * (Cranley and Patterson 1976), each in the base of its own prime number. Few points cover every axis better than random ones do.
 *
 * @param sizes cells of each axis, 1 and up
 * @param count how many cells; at most as many as the grid has
 * @param seed of the shift: the same seed gives the same cells
 * @example haltonCells([4, 4], 3, 1) // three cells, of three different rows
 * @experimental
 */
export function haltonCells(
  sizes: readonly number[],
  count: number,
  seed: number | string,
): readonly (readonly number[])[] {
  const random = createRandom(`halton ${seed}`)
  const axes = sizes.map((size, axis) => ({ size, base: primeNumber(axis), shift: random.next() }))
  const cells = new Map<string, readonly number[]>()
  for (let index = 1; cells.size < count; index++) {
    const cell = axes.map(({ size, base, shift }) => Math.floor(((radicalInverse(index, base) + shift) % 1) * size))
    cells.set(cell.join(), cell)
  }
  return [...cells.values()]
}

/** The digits of a number behind the point, in reverse. */
function radicalInverse(index: number, base: number): number {
  let [value, scale] = [0, 1]
  for (let rest = index; rest > 0; rest = Math.floor(rest / base)) {
    scale /= base
    value += (rest % base) * scale
  }
  return value
}

/** The n-th prime number, from 0: 2, 3, 5 … */
function primeNumber(n: number): number {
  const primes: number[] = []
  for (let candidate = 2; primes.length <= n; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  return primes[n] as number
}
