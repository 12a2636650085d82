import { nondominated, type Point } from "./pareto.ts"

/**
 * Volume that a set of points dominates up to a reference point (all axes minimised): exact, by slicing along the last
 * axis. One to a few axes and some hundred points.
 *
 * @example hypervolume([[1, 2], [2, 1]], [3, 3]) // 3
 */
export function hypervolume(points: readonly Point[], reference: Point): number {
  const inside = points.filter((point) => Array.from(point).every((value, k) => value < (reference[k] as number)))
  const front = nondominated(inside).map((i) => Array.from(inside[i] as Point))
  return volume(front, Array.from(reference))
}

function volume(front: readonly (readonly number[])[], reference: readonly number[]): number {
  const axis = reference.length - 1
  if (axis < 0 || front.length === 0) return 0
  if (axis === 0) return (reference[0] as number) - Math.min(...front.map((point) => point[0] as number))
  const sorted = [...front].sort((a, b) => (a[axis] as number) - (b[axis] as number))
  let total = 0
  for (let i = 0; i < sorted.length; i++) {
    const from = (sorted[i] as readonly number[])[axis] as number
    const to =
      i + 1 < sorted.length ? ((sorted[i + 1] as readonly number[])[axis] as number) : (reference[axis] as number)
    if (to === from) continue
    const slice = sorted.slice(0, i + 1).map((point) => point.slice(0, axis))
    total += (to - from) * volume(slice, reference.slice(0, axis))
  }
  return total
}
