import type { Unit } from "../../../src/words/quantity.ts"
import { plainText } from "../../../src/words/text.ts"
import { axisScale } from "./scale.ts"

/** One line of a chart, in a variant's colour. */
export interface Line {
  readonly variant: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** How an axis of a chart of lines is laid out. */
export interface LinesAxis {
  readonly title: string
  readonly unit: Unit | null
  readonly zero?: boolean
  readonly logarithmic?: boolean
}

/**
 * Lines whose places, in shares of the axes, nobody can tell apart: in groups. Who lies on one of a group belongs to it, though the two
 * at its edges may be further apart: each line is named once.
 */
export function coincident(lines: readonly Line[]): readonly (readonly string[])[] {
  const isSame = (a: Line, b: Line) =>
    a.points.length === b.points.length &&
    a.points.every(({ x, y }, i) => {
      const other = b.points[i] as Line["points"][number]
      return Math.abs(x - other.x) < 1 / 300 && Math.abs(y - other.y) < 1 / 80
    })
  let groups: Line[][] = []
  for (const line of lines) {
    const touched = groups.filter((group) => group.some((other) => isSame(other, line)))
    groups = [...groups.filter((group) => !touched.includes(group)), [...touched.flat(), line]]
  }
  const order = (line: Line) => lines.indexOf(line)
  for (const group of groups) group.sort((a, b) => order(a) - order(b))
  groups.sort(([a], [b]) => order(a as Line) - order(b as Line))
  return groups.filter((group) => group.length > 1).map((group) => group.map((line) => line.variant))
}

/** The sentence about lines that nobody can tell apart: `a, b and c lie on each other.` */
export function coincidentWords(names: readonly string[]): string {
  const shown = names.map((name) => plainText(name, 40))
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)} lie on each other.`
}

/** A point as shares of the axes that it is drawn on. */
export function shareOf(lines: readonly Line[], { x, y }: { readonly x: LinesAxis; readonly y: LinesAxis }) {
  const axis = (options: LinesAxis, along: "x" | "y") =>
    axisScale(
      lines.flatMap((line) => line.points.map((point) => point[along])),
      { ...options, range: [0, 1] },
    )
  const [across, up] = [axis(x, "x"), axis(y, "y")]
  return (point: Line["points"][number]) => ({ x: across(point.x), y: up(point.y) })
}
