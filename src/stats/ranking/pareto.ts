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

/** Crowding distance of each point of a front (Deb et al. 2002, NSGA-II): Infinity at the ends of any axis. */
export function crowdingDistances(front: readonly Point[]): number[] {
  const distances = front.map(() => 0)
  for (let k = 0; k < (front[0]?.length ?? 0); k++) {
    const order = front.map((_, i) => i).sort((i, j) => coordinate(front, i, k) - coordinate(front, j, k))
    const first = order[0] as number
    const last = order.at(-1) as number
    const range = coordinate(front, last, k) - coordinate(front, first, k)
    distances[first] = Number.POSITIVE_INFINITY
    distances[last] = Number.POSITIVE_INFINITY
    for (let m = 1; m < order.length - 1 && range > 0; m++) {
      const gap = coordinate(front, order[m + 1] as number, k) - coordinate(front, order[m - 1] as number, k)
      distances[order[m] as number]! += gap / range
    }
  }
  return distances
}

function coordinate(points: readonly Point[], i: number, axis: number): number {
  return (points[i] as Point)[axis] as number
}
