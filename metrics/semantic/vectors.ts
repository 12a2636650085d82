/** Sum of products of two vectors of equal length. */
export function dotProduct(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < left.length; i++) sum += (left[i] as number) * (right[i] as number)
  return sum
}

/** Euclidean distance, without overflow or underflow on the way. */
export function euclideanDistance(left: ArrayLike<number>, right: ArrayLike<number>): number {
  return euclideanLength(Float64Array.from(left, (value, i) => value - (right[i] as number)))
}

/**
 * Cosine of the angle between two vectors, −1..1; null when one of them is zero. Vectors are scaled by their largest component
 * first, so that huge and tiny ones neither overflow nor vanish.
 *
 * @example cosineSimilarity([1, 0], [1, 1]) // 0.7071
 */
export function cosineSimilarity(left: ArrayLike<number>, right: ArrayLike<number>): number | null {
  const [a, b] = [unitVector(left), unitVector(right)]
  return a && b ? Math.max(-1, Math.min(1, dotProduct(a, b))) : null
}

/** The vector at length 1; null for the zero vector. */
export function unitVector(vector: ArrayLike<number>): Float64Array | null {
  const length = euclideanLength(vector)
  const scale = largestComponent(vector)
  if (length === 0 || scale === 0) return null
  const scaledLength = length / scale
  return Float64Array.from(vector, (value) => value / scale / scaledLength)
}

function euclideanLength(vector: ArrayLike<number>): number {
  const scale = largestComponent(vector)
  if (scale === 0 || !Number.isFinite(scale)) return scale
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += ((vector[i] as number) / scale) ** 2
  return scale * Math.sqrt(sum)
}

function largestComponent(vector: ArrayLike<number>): number {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] as number))
  return largest
}
