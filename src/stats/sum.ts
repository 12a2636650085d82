/** Sum with Neumaier's compensation, so that a million small amounts add up to the cent. */
export function sum(values: Iterable<number>): number {
  return sumOf(values, (value) => value)
}

/** {@link sum} of what each value, with its index, becomes. */
export function sumOf(values: Iterable<number>, each: (value: number, index: number) => number): number {
  let total = 0
  let lost = 0
  let index = 0
  for (const element of values) {
    const value = each(element, index++)
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + lost
}
