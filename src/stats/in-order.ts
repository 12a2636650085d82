/** Values in the order of the times (or other numbers) at which they stand; those of one time as they came. */
export function inOrder(at: Float64Array, values: Float64Array): Float64Array {
  const order = Uint32Array.from(at.keys()).sort((i, j) => (at[i] as number) - (at[j] as number))
  return Float64Array.from(order, (i) => values[i] as number)
}
