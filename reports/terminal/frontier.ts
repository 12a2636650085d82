import type { RunReport } from "../../src/core/report/report.ts"
import { quantity } from "../../src/words/quantity.ts"
import { plainText } from "../../src/words/text.ts"
import { isLogarithmic, type ShownAxis, shownAxis } from "../view-model/axes.ts"
import { markOf } from "../view-model/variant-rows.ts"
import { shortNames } from "./short-names.ts"
import { cells, pad, type Screen, truncate, wrap } from "./style.ts"

const height = 6
const maxLabelLength = 20

/** The frontier as text: quality upwards, the first other axis across. Empty of fewer than three points: a table says as much. */
export function frontierChart(report: RunReport, screen: Screen): string[] {
  const { frontier } = report
  if (!frontier || frontier.points.length < 3 || frontier.axes.length < 2 || screen.columns < 50) return []
  const [up, across] = frontier.axes as [(typeof frontier.axes)[number], (typeof frontier.axes)[number]]
  const [vertical, horizontal] = [shownAxis(report, up), shownAxis(report, across)]
  const ys = frontier.points.map((point) => (point.values[0] as number) * vertical.factor)
  const xs = frontier.points.map((point) => (point.values[1] as number) * horizontal.factor)
  const ticks = tickLabels(ys, vertical)
  const margin = Math.max(...ticks.map((tick) => cells(tick ?? "")))
  const width = screen.columns - margin - 5
  const column = position(xs, width - 1, horizontal)
  const row = position(ys, height - 1, vertical)
  const canvas = new TextCanvas(width, height)
  const labels = shortNames(
    frontier.points.map((point) => screen.text(plainText(point.variant, 80))),
    maxLabelLength,
    screen.unicode,
  )
  const marks = frontier.points.map((point, index) => {
    const variant = report.variants.find((variantReport) => variantReport.name === point.variant)
    const mark = variant ? screen.marks[markOf(report, variant)] : screen.marks.frontier
    const cell = { x: column(xs[index] as number), y: height - 1 - row(ys[index] as number) }
    canvas.write(cell.x, cell.y, mark)
    return { ...cell, mark, label: labels[index] ?? "" }
  })
  const unnamed = marks.filter((mark) => !canvas.label(mark.x, mark.y, mark.label))
  const rule = screen.text(screen.unicode ? "\u2502" : "|")
  const lines = canvas.lines().map((line, index) => {
    const tick = ticks[index] ?? ""
    const bar = screen.unicode && tick ? "\u2524" : rule
    return ` ${screen.dim(pad(screen.text(tick), margin, "start"))} ${screen.dim(bar)} ${line}`.trimEnd()
  })
  const title = ` ${screen.dim(screen.text(`${vertical.title} ${up.goal === "maximize" ? arrow(screen, "up") : arrow(screen, "down")}`))}`
  return [title, ...lines, footer(horizontal, xs, margin, width, screen), ...unnamedLine(unnamed, margin, screen)]
}

/** The marks that stand too close together for a name, from left to right. */
function unnamedLine(
  marks: readonly { readonly x: number; readonly mark: string; readonly label: string }[],
  margin: number,
  screen: Screen,
): string[] {
  if (marks.length === 0) return []
  const names = marks.toSorted((a, b) => a.x - b.x).map(({ mark, label }) => `${mark} ${label}`)
  const room = screen.columns - margin - 3
  return wrap(`not labelled, from the left: ${names.join(", ")}`, room, screen.unicode).map((line) =>
    screen.dim(`${" ".repeat(margin + 2)}${line}`),
  )
}

function footer(axis: ShownAxis, xs: readonly number[], margin: number, width: number, screen: Screen): string {
  const low = screen.text(quantity(Math.min(...xs), axis.unit))
  const high = screen.text(quantity(Math.max(...xs), axis.unit))
  const title = `${axis.title}${isLogarithmic(xs, axis) ? " (log)" : ""} ${arrow(screen, "right")}`
  const dash = screen.unicode ? "\u2500" : "-"
  const corner = screen.unicode ? "\u253c" : "+"
  const free = width - cells(low) - cells(high) - cells(title) - 5
  const line = `${low} ${dash.repeat(Math.max(1, free))} ${title} ${dash} ${high}`
  return ` ${" ".repeat(margin)} ${screen.dim(`${corner}${dash}${truncate(line, width, screen.unicode)}`)}`
}

function arrow(screen: Pick<Screen, "unicode">, direction: "up" | "down" | "right"): string {
  if (screen.unicode) return { up: "\u2191", down: "\u2193", right: "\u2192" }[direction]
  return { up: "(up)", down: "(down)", right: "->" }[direction]
}

/** Maps values to 0..last, on a logarithmic scale where the axis is. */
function position(values: readonly number[], last: number, axis: ShownAxis): (value: number) => number {
  const scale = isLogarithmic(values, axis) ? Math.log : (value: number) => value
  const low = scale(Math.min(...values))
  const high = scale(Math.max(...values))
  return (value) => (high === low ? Math.round(last / 2) : Math.round(((scale(value) - low) / (high - low)) * last))
}

/** Labels of the top and the bottom row. */
function tickLabels(values: readonly number[], { unit }: ShownAxis): (string | null)[] {
  const low = Math.min(...values)
  const high = Math.max(...values)
  return Array.from({ length: height }, (_, index) =>
    index === 0 ? quantity(high, unit) : index === height - 1 ? quantity(low, unit) : null,
  )
}

/** A grid of characters; labels go beside their mark where there is room. */
class TextCanvas {
  private readonly grid: string[][]
  private readonly width: number
  private readonly height: number

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.grid = Array.from({ length: height }, () => Array.from({ length: width }, () => " "))
  }

  write(x: number, y: number, text: string): void {
    let index = x
    for (const character of text) {
      const row = this.grid[y] as string[]
      row[index] = character
      for (let extra = 1; extra < cells(character); extra++) row[index + extra] = ""
      index += Math.max(1, cells(character))
    }
  }

  /** Whether there was room. */
  label(x: number, y: number, text: string): boolean {
    const size = cells(text)
    const tries = [x + 2, x - size - 1].map((index) => ({ x: index, y }))
    const free = tries.find((cell) => this.isFree(cell.x - 1, cell.y, size + 2, x, y))
    if (free) this.write(free.x, free.y, text)
    return free !== undefined
  }

  lines(): string[] {
    return this.grid.map((row) => row.join("").trimEnd())
  }

  private isFree(x: number, y: number, size: number, markX: number, markY: number): boolean {
    if (y < 0 || y >= this.height || x < -1 || x + size > this.width + 1) return false
    for (let index = Math.max(0, x); index < Math.min(this.width, x + size); index++)
      if (this.grid[y]?.[index] !== " " && !(y === markY && index === markX)) return false
    return x + 1 >= 0 && x + size - 1 <= this.width
  }
}
