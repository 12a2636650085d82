/** A place of a line. */
export interface LinePoint {
  readonly x: number
  readonly y: number
}

/** Halvings between two places in search of a jump: what remains is narrower than a pixel. */
const halvings = 16

/**
 * The places of a function at given values, with both ends of each jump between two of them, so that a bill that rises by whole
 * units is drawn as upright steps and not as slopes. Where it is unknown there is no place.
 *
 * @example staircase([1, 3], (x) => (x < 2 ? 10 : 20)) // 1: 10, 2: 10, 2: 20, 3: 20 (about)
 */
export function staircase(values: readonly number[], valueAt: (x: number) => number | null): readonly LinePoint[] {
  const points: LinePoint[] = []
  for (const x of values) {
    const y = valueAt(x)
    if (y === null) continue
    const to = { x, y }
    const from = points.at(-1)
    points.push(...(from && from.y !== y ? jump(from, to, valueAt) : []), to)
  }
  return points
}

/** Both ends of the jump that is most of the way from one place to another; nothing where there is only a slope. */
function jump(from: LinePoint, to: LinePoint, valueAt: (x: number) => number | null): LinePoint[] {
  const half = (from.y + to.y) / 2
  let [low, high] = [from, to]
  for (let i = 0; i < halvings; i++) {
    const x = (low.x + high.x) / 2
    const y = valueAt(x)
    if (y === null) return []
    if (y < half === from.y < half) low = { x, y }
    else high = { x, y }
  }
  return Math.abs(high.y - low.y) > Math.abs(to.y - from.y) / 2 ? [low, high] : []
}
