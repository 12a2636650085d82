/** A point on axes that are all minimised. @public */
export type Point = ArrayLike<number>

/**
 * Whether `a` is nowhere worse and somewhere better than `b` (all axes minimised). Equal points do not dominate each other.
 * @public
 */
export function dominates(a: Point, b: Point): boolean {
  let better = false
  for (let k = 0; k < a.length; k++) {
    const x = a[k] as number
    const y = b[k] as number
    if (x > y) return false
    if (x < y) better = true
  }
  return better
}

/** Positions of the points that no other point dominates, ascending. @public */
export function nondominated(points: readonly Point[]): number[] {
  return points.flatMap((point, i) => (points.some((other) => dominates(other, point)) ? [] : [i]))
}

/** Successive frontiers: the nondominated points, those that are nondominated without them, and so on. @public */
export function paretoFronts(points: readonly Point[]): number[][] {
  const fronts: number[][] = []
  let rest = points.map((_, i) => i)
  while (rest.length > 0) {
    const front = nondominated(rest.map((i) => points[i] as Point)).map((k) => rest[k] as number)
    fronts.push(front)
    rest = rest.filter((i) => !front.includes(i))
  }
  return fronts
}
