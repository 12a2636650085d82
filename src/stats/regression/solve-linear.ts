/** Solves a small dense system by Gaussian elimination with partial pivoting; not finite when it is singular. */
export function solveLinear(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const n = right.length
  const rows: Float64Array[] = matrix.map((row, i) => Float64Array.from([...row, right[i] as number]))
  const at = (i: number, j: number) => (rows[i] as Float64Array)[j] as number
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let i = column + 1; i < n; i++) if (Math.abs(at(i, column)) > Math.abs(at(pivot, column))) pivot = i
    const swapped = rows[pivot] as Float64Array
    rows[pivot] = rows[column] as Float64Array
    rows[column] = swapped
    for (let i = column + 1; i < n; i++) {
      const factor = at(i, column) / at(column, column)
      for (let j = column; j <= n; j++) (rows[i] as Float64Array)[j]! -= factor * at(column, j)
    }
  }
  const solution = new Float64Array(n)
  for (let i = n - 1; i >= 0; i--) {
    let sum = at(i, n)
    for (let j = i + 1; j < n; j++) sum -= at(i, j) * (solution[j] as number)
    solution[i] = sum / at(i, i)
  }
  return solution
}
