import { type RoomEdge, reduced } from "./graph.ts"
import { pictureStyle } from "./picture-style.ts"
import type { Room } from "./rooms.ts"

const width = 1000
const [boxWidth, boxHeight] = [116, 46]
const rowHeight = 80
const [top, side] = [26, 20]
/** An arrow of as many imports is drawn although a longer path leads to the same room. */
const many = 20
/** An arrow that goes further to the left leaves at the side of its box, and so passes above what stands below it. */
const farLeft = 400

interface Box extends Room {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * The rooms as boxes in layers, an arrow for imports that no longer path replaces, or that are many; the width of an arrow grows with
 * the number of imports. The rooms of the first row import everything and the last is imported by everything: bars without
 * arrows. Each box names all its imports in `data-imports`, so that a test can compare the picture with the code.
 *
 * @param rooms those that exist
 * @param edges all edges between them
 */
export function architectureSvg(rooms: readonly Room[], edges: readonly RoomEdge[]): string {
  const lastRow = Math.max(...rooms.map(({ row }) => row))
  const boxes = rooms.map((room) => boxOf(room, room.row === lastRow, frontCount(rooms)))
  const inner = new Set(boxes.filter(({ row }) => row > 0 && row < lastRow).map(({ path }) => path))
  const between = edges.filter(({ from, to }) => inner.has(from) && inner.has(to))
  const needed = new Set(reduced(between))
  const arrows = between.filter((edge) => needed.has(edge) || edge.imports >= many)
  const height = top + (lastRow + 1) * rowHeight - (rowHeight - boxHeight) + 40
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">The rooms of evalkit and their imports, from the command line at the top to the nouns at the bottom</title>
<style>${pictureStyle}</style>
<defs>
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>
</defs>
<rect class="paper" width="${width}" height="${height}" rx="8"/>
${arrows.map((edge) => arrow(edge, arrows, boxes)).join("\n")}
${boxes.map((box) => boxSvg(box, edges)).join("\n")}
<text class="note" x="${side}" y="${height - 12}">Arrow: imports, wider for more. An arrow of few imports is left out where a longer path leads to the same room. Drawn from the code by npm run docs:architecture.</text>
</svg>
`
}

function frontCount(rooms: readonly Room[]): number {
  return rooms.filter(({ row }) => row === 0).length
}

function boxOf(room: Room, isLast: boolean, fronts: number): Box {
  const y = top + room.row * rowHeight
  const free = width - 2 * side
  const size = isLast ? free : room.row === 0 ? free / fronts - 10 : boxWidth
  const centre = Math.min(Math.max(side + room.x * free, side + size / 2), width - side - size / 2)
  return { ...room, left: centre - size / 2, right: centre + size / 2, top: y, bottom: y + boxHeight }
}

function boxSvg(box: Box, edges: readonly RoomEdge[]): string {
  const imports = edges.filter(({ from }) => from === box.path).map(({ to }) => to)
  const centre = round((box.left + box.right) / 2)
  return `<g class="room ${box.kind}" data-room="${box.path}" data-imports="${imports.join(" ")}"><rect x="${round(box.left)}" y="${box.top}" width="${round(box.right - box.left)}" height="${boxHeight}" rx="5"/><text class="name" x="${centre}" y="${box.top + 20}">${nameOf(box)}</text><text x="${centre}" y="${box.top + 36}">${shortOf(box)}</text></g>`
}

function nameOf({ path }: Box): string {
  return path === "src/*.ts" ? "src/index.ts and sub-paths" : path.replace("src/", "")
}

function shortOf({ row, short }: Box): string {
  return row === 0 ? `${short}: may import every room` : short
}

function arrow(edge: RoomEdge, all: readonly RoomEdge[], boxes: readonly Box[]): string {
  const [from, to] = [find(edge.from), find(edge.to)]
  const x1 = spread(
    from,
    all.filter((entry) => entry.from === edge.from).map((entry) => middle(find(entry.to))),
    middle(to),
  )
  const x2 = spread(
    to,
    all.filter((entry) => entry.to === edge.to).map((entry) => middle(find(entry.from))),
    middle(from),
  )
  const y2 = to.top - 1
  const bend = Math.max(26, (y2 - from.bottom) * 0.45)
  const isFar = from.left - x2 > farLeft
  const start = isFar
    ? `M${round(from.left)} ${middleHeight(from)}C${round(from.left - 130)} ${middleHeight(from)}`
    : `M${round(x1)} ${from.bottom}C${round(x1)} ${round(from.bottom + bend)}`
  const size = round(1 + Math.min(4, Math.log2(edge.imports) * 0.7))
  return `<path class="arrow ${from.kind}" data-from="${edge.from}" data-to="${edge.to}" stroke-width="${size}" marker-end="url(#tip)" d="${start} ${round(x2)} ${round(y2 - bend)} ${round(x2)} ${y2}"/>`

  function find(path: string): Box {
    return boxes.find((box) => box.path === path) as Box
  }
}

function middleHeight({ top, bottom }: Box): number {
  return (top + bottom) / 2
}

function middle({ left, right }: Box): number {
  return (left + right) / 2
}

/** Where on a box's edge an arrow ends: side by side, in the order of the other ends. */
function spread(box: Box, others: readonly number[], own: number): number {
  const index = others.toSorted((a, b) => a - b).indexOf(own)
  const step = Math.min(24, (box.right - box.left - 20) / Math.max(1, others.length))
  return middle(box) + (index - (others.length - 1) / 2) * step
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
