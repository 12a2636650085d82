type Range = readonly [low: number, high: number]

/** No part is narrower than this share of the axis: the address holds three decimals, and nothing is to be seen closer by. */
const narrowest = 0.01

/** A part of a plot, as shares of the whole axes: from the left, and from below. */
export interface ZoomPart {
  readonly x: Range
  readonly y: Range
}

/** The part as the address holds it, shares with three decimals; null for anything else. */
export function readPart(text: string): ZoomPart | null {
  const numbers = text.split(",").map(Number)
  const [left = 0, right = 0, low = 0, high = 0] = numbers
  const isPart = numbers.length === 4 && numbers.every((n) => n >= 0 && n <= 1) && left < right && low < high
  return isPart ? { x: [left, right], y: [low, high] } : null
}

/** What {@link readPart} reads. */
export function writePart({ x, y }: ZoomPart): string {
  return [...x, ...y].map((share) => Number(share.toFixed(3))).join(",")
}

/** The part with a half or twice its width around its middle; null when that is all. */
export function scaled(part: ZoomPart | null, factor: number): ZoomPart | null {
  const wide = ([low, high]: Range): Range => around((low + high) / 2, (high - low) * factor)
  const next = { x: wide(part?.x ?? [0, 1]), y: wide(part?.y ?? [0, 1]) }
  return [...next.x, ...next.y].join() === "0,1,0,1" ? null : next
}

/** What lies between two shares of an axis of which a part is shown already. */
export function within(part: Range | undefined, low: number, high: number): Range {
  const [from, to] = part ?? [0, 1]
  return around(from + ((low + high) / 2) * (to - from), (high - low) * (to - from))
}

function around(middle: number, width: number): Range {
  const half = Math.min(0.5, Math.max(narrowest, width) / 2)
  const placed = Math.min(1 - half, Math.max(half, middle))
  return [placed - half, placed + half]
}
