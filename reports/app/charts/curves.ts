/** A point of a line; `low` and `high` draw its interval, `label` is drawn beside it. */
export interface CurvePoint {
  readonly x: number
  readonly y: number
  readonly low?: number | null
  readonly high?: number | null
  readonly label?: string
}

/** A line of a chart. Lines of the same `color` belong together. */
export interface Curve {
  readonly name: string
  readonly color: number
  readonly dashed?: boolean
  readonly points: readonly CurvePoint[]
}

/** Lines over one axis, with the objectives that they are compared with. */
export interface CurvesFigure {
  readonly title: string
  /** One sentence: how to read it. */
  readonly note: string
  /** Whether it takes two columns where there is room for them. */
  readonly wide?: boolean
  readonly xLabel: string
  readonly yLabel: string
  readonly xScale?: "linear" | "doubling"
  readonly yScale?: "linear" | "logarithmic"
  readonly series: readonly Curve[]
  /** Objectives. */
  readonly horizontals?: readonly { readonly y: number; readonly label: string }[]
  /** Where something happens. */
  readonly verticals?: readonly { readonly x: number; readonly label: string }[]
  /** What lies between two lines, such as how fast people read. */
  readonly band?: {
    readonly label: string
    readonly points: readonly (readonly [x: number, low: number, high: number])[]
  }
  /** Largest value of the axis; absent: the largest value drawn. */
  readonly yMax?: number
}

/** Where values are drawn: a plot from 0 to `right` and, downwards, from 0 to `floor`. */
export interface CurvesFrame {
  readonly right: number
  readonly floor: number
  /** Objectives that lie inside. */
  readonly objectives: NonNullable<CurvesFigure["horizontals"]>
  x(value: number): number
  y(value: number): number
}

/** A text beside what it names. */
export interface PlacedText {
  readonly text: string
  readonly kind: "point" | "mark" | "objective"
  readonly x: number
  /** Of its base line. */
  readonly y: number
  readonly anchor: "start" | "middle" | "end"
}

/**
 * The names of objectives, verticals and points, each where the fewest lines and no other text are in its way. A point for
 * whose name there is no room has none: its tooltip and the table say it. Deterministic; objectives choose first, as they
 * have the least choice.
 */
export function textsOf(chart: CurvesFigure, drawn: readonly Curve[], frame: CurvesFrame): readonly PlacedText[] {
  const { x, y, right, floor, objectives } = frame
  const candidates = [
    ...objectives.map((line) => objectivePlaces(line.label, y(line.y), right)),
    ...(chart.verticals ?? []).map((line) => verticalPlaces(line.label, x(line.x), floor)),
    ...drawn.flatMap((series) =>
      pointsOf(series, frame).flatMap((point, i) => {
        const label = series.points[i]?.label
        return label === undefined ? [] : [pointPlaces(label, point)]
      }),
    ),
  ]
  const lines = obstaclesOf(chart, drawn, frame)
  const taken: Box[] = []
  return candidates.flatMap((places) => {
    const { chosen, crowd } = leastCrowded(places, lines, taken, frame)
    if (chosen.kind === "point" && crowd >= serious) return []
    taken.push(boxOf(chosen))
    return [chosen]
  })
}

/** The points of a line as they are drawn. */
export function pointsOf({ points }: Curve, { x, y }: CurvesFrame): readonly Place[] {
  return points.map((point) => [x(point.x), y(point.y)])
}

type Place = readonly [x: number, y: number]

function objectivePlaces(text: string, at: number, right: number): readonly PlacedText[] {
  const place = (x: number, y: number, anchor: PlacedText["anchor"]) =>
    ({ text, kind: "objective", x, y, anchor }) as const
  return [
    place(4, at - 5, "start"),
    place(4, at + 13, "start"),
    place(right - 4, at - 5, "end"),
    place(right - 4, at + 13, "end"),
  ]
}

function verticalPlaces(text: string, at: number, floor: number): readonly PlacedText[] {
  const place = (x: number, y: number, anchor: PlacedText["anchor"]) => ({ text, kind: "mark", x, y, anchor }) as const
  return [floor - 6, 12, floor / 2].flatMap((y) => [place(at - 5, y, "end"), place(at + 5, y, "start")])
}

function pointPlaces(text: string, [x, y]: Place): readonly PlacedText[] {
  const place = (dx: number, dy: number, anchor: PlacedText["anchor"]) =>
    ({ text, kind: "point", x: x + dx, y: y + dy, anchor }) as const
  return [
    place(5, 14, "start"),
    place(0, 16, "middle"),
    place(0, -8, "middle"),
    place(-5, -6, "end"),
    place(-8, 4, "end"),
    place(8, 4, "start"),
    place(-5, 14, "end"),
    place(5, -6, "start"),
  ]
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** About where a text of 11 pixels stands. */
function boxOf({ text, kind, x, y, anchor }: PlacedText): Box {
  const width = text.length * (kind === "objective" ? characterWidth : boldWidth)
  const start = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2
  return { left: start - 1, right: start + width + 1, top: y - 10, bottom: y + 3 }
}

function leastCrowded(
  places: readonly PlacedText[],
  lines: readonly Place[],
  taken: readonly Box[],
  { right, floor }: CurvesFrame,
): { readonly chosen: PlacedText; readonly crowd: number } {
  const crowdOf = (text: PlacedText) => {
    const box = boxOf(text)
    // Left of the plot stand the numbers of the axis: nothing may cover them.
    const isOutside = box.right > right + edge || box.top < -upperEdge || box.bottom > floor
    const texts = taken.filter(
      (other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top,
    )
    const crossed = lines.filter(([x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom)
    return crossed.length + serious * (texts.length + Number(isOutside) + 2 * Number(box.left < 0))
  }
  const crowds = places.map(crowdOf)
  const crowd = Math.min(...crowds)
  return { chosen: places[crowds.indexOf(crowd)] as PlacedText, crowd }
}

/** Places a few pixels apart along everything that is drawn. */
function obstaclesOf({ verticals = [] }: CurvesFigure, drawn: readonly Curve[], frame: CurvesFrame): readonly Place[] {
  const { x, y, right, floor, objectives } = frame
  return [
    ...drawn.flatMap((series) => {
      const places = pointsOf(series, frame)
      return places.slice(1).flatMap((to, i) => along(places[i] as Place, to))
    }),
    ...verticals.flatMap((line) => along([x(line.x), 0], [x(line.x), floor])),
    ...objectives.flatMap((line) => along([0, y(line.y)], [right, y(line.y)])),
  ]
}

function along(from: Place, to: Place): readonly Place[] {
  const steps = Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / stepSize)
  return Array.from({ length: steps + 1 }, (_, i) => {
    const share = steps === 0 ? 0 : i / steps
    return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
  })
}

const characterWidth = 6.6
/** Marks and points are written bold. */
const boldWidth = 7.6
const stepSize = 3
/** Pixels that a text may reach over the plot's edge; above it stands the name of the axis. */
const edge = 12
const upperEdge = 2
/** Another text in the way is worse than any number of lines. */
const serious = 1000
