import type { Point } from "./pareto.ts"

/**
 * The knee of a front: the point farthest below the chord (plane) between the ends after each axis is scaled to 0..1 over
 * the front. All axes minimised. Das 1999.
 *
 * @returns its position, or null with fewer than three points or when none lies below the chord
 */
export function kneeOf(front: readonly Point[]): number | null {
  if (front.length < 3) return null
  const axes = front[0]?.length ?? 0
  const scaled = front.map(() => 0)
  for (let k = 0; k < axes; k++) {
    const values = front.map((point) => point[k] as number)
    const low = Math.min(...values)
    const range = Math.max(...values) - low
    values.forEach((value, i) => {
      scaled[i]! += range === 0 ? 0 : (value - low) / range
    })
  }
  // In scaled axes the chord is Σ x = 1; the distance below it is (1 − Σ x) / √axes.
  let best: number | null = null
  let farthest = 1e-12
  scaled.forEach((sum, i) => {
    if (1 - sum > farthest) {
      farthest = 1 - sum
      best = i
    }
  })
  return best
}
