import { shortenedNames } from "../../../src/words/short-names.ts"
import { plainText } from "../../../src/words/text.ts"

/** A text at a place of a chart. */
export interface PlacedLabel {
  readonly x: number
  readonly y: number
  readonly anchor: "start" | "end" | "middle"
}

/** A point that wants a label. */
export interface WantedLabel {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly bold?: boolean
}

/** Estimated width of a text in the chart's type, in pixels. */
export function textWidth(text: string, bold = false): number {
  return [...text].reduce((sum, character) => sum + (character > "\u2e80" ? 13 : bold ? 8.2 : 7), 0)
}

/** The names of variants in so many characters, told apart where they are shortened. */
export function variantLabels(lines: readonly { readonly variant: string }[], width: number): string[] {
  const names = lines.map(({ variant }) => plainText(variant))
  return shortenedNames(names, width)
}

/** The room that there is, and the lines that a label had better not lie on. */
export interface LabelRoom {
  readonly width: number
  readonly height: number
  /** Upright and level lines, as their two ends. Default none. */
  readonly lines?: readonly (readonly [from: Place, to: Place])[]
}

interface Place {
  readonly x: number
  readonly y: number
}

/**
 * Places labels beside their points so that none covers another or a point: right, left, above, below, at the corners, then further
 * and further away, where {@link leaderOf} says that a line must join the two; that line touches no other point where it can be helped,
 * or it would name the wrong one. It lies where no line crosses it, if there is such a place beside its point or not far from it. A label for which there is no room is null: its tooltip and the table say it. Deterministic, in the order
 * given.
 */
export function placeLabels(labels: readonly WantedLabel[], room: LabelRoom): (PlacedLabel | null)[] {
  const taken: Box[] = labels.map(({ x, y }) => ({
    left: x - markSize,
    right: x + markSize,
    top: y - markSize,
    bottom: y + markSize,
  }))
  const lines = (room.lines ?? []).map(([from, to]) => ({
    left: Math.min(from.x, to.x) - 1,
    right: Math.max(from.x, to.x) + 1,
    top: Math.min(from.y, to.y) - 1,
    bottom: Math.max(from.y, to.y) + 1,
  }))
  return labels.map(({ x, y, text, bold }, index) => {
    const size = textWidth(text, bold)
    const isFree = (label: PlacedLabel) => {
      const box = boxOf(label, size)
      if (box.left < -4 || box.right > room.width + 4 || box.top < -12 || box.bottom > room.height) return false
      return taken.every((other, position) => position === index || !overlap(box, other))
    }
    const isClear = (label: PlacedLabel) => lines.every((line) => !overlap(boxOf(label, size), line))
    const isItsOwn = (label: PlacedLabel) => {
      const leader = leaderOf({ x, y, text, bold }, label)
      return labels.every((other, position) => position === index || !leader || distance(other, leader) > markSize)
    }
    const beside = placesBeside(x, y)
    const free = [...beside, ...placesAround(x, y, size, rings)].filter(isFree)
    const near = [...beside, ...placesAround(x, y, size, nearRings)].filter((label) => isFree(label) && isClear(label))
    const chosen = near.find(isItsOwn) ?? free.find(isItsOwn) ?? near[0] ?? free[0] ?? null
    if (chosen) taken.push(boxOf(chosen, size))
    return chosen
  })
}

/** A line from a point to its label. */
interface Leader {
  readonly from: readonly [number, number]
  readonly to: readonly [number, number]
}

/** From which place to which a line joins a label that stands away from its point; null where they are neighbours. */
export function leaderOf({ x, y, text, bold }: WantedLabel, label: PlacedLabel): Leader | null {
  const box = boxOf(label, textWidth(text, bold))
  const to = [clamp(x, box.left, box.right), clamp(y, box.top + 2, box.bottom - 2)] as const
  const away = Math.hypot(to[0] - x, to[1] - y)
  if (away < neighbouring) return null
  const start = markSize / away
  return { from: [x + (to[0] - x) * start, y + (to[1] - y) * start], to }
}

/** Places for a label at its point, the best first: its four sides, then its corners. */
function placesBeside(x: number, y: number): PlacedLabel[] {
  return [
    { x: x + 12, y, anchor: "start" },
    { x: x - 12, y, anchor: "end" },
    { x, y: y - 18, anchor: "middle" },
    { x, y: y + 18, anchor: "middle" },
    { x: x + 6, y: y - 14, anchor: "start" },
    { x: x + 6, y: y + 14, anchor: "start" },
    { x: x - 6, y: y - 14, anchor: "end" },
    { x: x - 6, y: y + 14, anchor: "end" },
  ]
}

/** Places on wider and wider rings, the nearest first. */
function placesAround(x: number, y: number, size: number, until: number): PlacedLabel[] {
  const places: PlacedLabel[] = []
  for (let ring = 1; ring <= until; ring++) {
    const [wide, high] = [14 + ring * 14, 14 * ring]
    for (const down of [0, -1, 1, -0.5, 0.5]) {
      places.push({ x: x + wide, y: y + down * high, anchor: "start" })
      places.push({ x: x - wide, y: y + down * high, anchor: "end" })
    }
    for (const side of [0, -0.5, 0.5]) {
      places.push({ x: x + side * size, y: y - 18 - high, anchor: "middle" })
      places.push({ x: x + side * size, y: y + 18 + high, anchor: "middle" })
    }
  }
  return places
}

/** Pixels from the middle of a point to where nothing of it is seen any more. */
const markSize = 9
/** Pixels between a point and its label up to which nobody needs a line to see that they belong together. */
const neighbouring = 22
const rings = 20
/** Further away a label had better lie across a line than lose its point. */
const nearRings = 3

/** Pixels from a place to the nearest place of a line. */
function distance({ x, y }: Place, { from, to }: Leader): number {
  const [wide, high] = [to[0] - from[0], to[1] - from[1]]
  const along = ((x - from[0]) * wide + (y - from[1]) * high) / (wide * wide + high * high || 1)
  const at = clamp(along, 0, 1)
  return Math.hypot(from[0] + at * wide - x, from[1] + at * high - y)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function boxOf({ x, y, anchor }: PlacedLabel, size: number): Box {
  const left = anchor === "start" ? x : anchor === "end" ? x - size : x - size / 2
  return { left, right: left + size, top: y - 8, bottom: y + 8 }
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
