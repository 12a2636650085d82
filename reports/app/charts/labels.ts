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
}

/** Estimated width of a text in the chart's type, in pixels. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (character > "\u2e80" ? 13 : 7), 0)
}

/**
 * Places labels beside their points without overlaps: right, left, above, below, else pushed down until there is room.
 * Points are obstacles too. Deterministic, in the order given.
 */
export function placeLabels(wanted: readonly WantedLabel[], width: number, height: number): PlacedLabel[] {
  const taken: Box[] = wanted.map(({ x, y }) => ({ left: x - 8, right: x + 8, top: y - 8, bottom: y + 8 }))
  return wanted.map(({ x, y, text }, index) => {
    const size = textWidth(text)
    const tries: PlacedLabel[] = [
      { x: x + 12, y, anchor: "start" },
      { x: x - 12, y, anchor: "end" },
      { x, y: y - 16, anchor: "middle" },
      { x, y: y + 17, anchor: "middle" },
      ...Array.from({ length: 12 }, (_, step) => ({
        x: x + 12,
        y: y + (step % 2 ? -1 : 1) * (14 + 8 * step),
        anchor: "start" as const,
      })),
    ]
    const isFree = (label: PlacedLabel) => {
      const box = boxOf(label, size)
      if (box.left < -4 || box.right > width + 4 || box.top < -12 || box.bottom > height + 4) return false
      return taken.every((other, position) => position === index || !overlap(box, other))
    }
    const chosen = tries.find(isFree) ?? (tries[x > width / 2 ? 1 : 0] as PlacedLabel)
    taken.push(boxOf(chosen, size))
    return chosen
  })
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
