import { colourClass, usePage } from "../context.tsx"
import { Foreign } from "../parts.tsx"
import { coincident, coincidentWords, type Line, type LinesAxis, shareOf } from "./coincident.ts"
import { AxisX, AxisY, Chart } from "./frame.tsx"
import { textWidth, variantLabels } from "./labels.ts"
import { round } from "./mark.tsx"
import { axisScale } from "./scale.ts"

/** A place on a chart that is annotated. */
export interface Remark {
  readonly x: number
  readonly y: number
  readonly text: string
  /** The lines that cross there, where it is a crossing: of lines that lie on each other it is none. */
  readonly of?: readonly [string, string]
}

interface LinesProps {
  name: string
  label: string
  lines: readonly Line[]
  x: LinesAxis
  y: LinesAxis
  remarks?: readonly Remark[]
  /** What people feel from a time on: a thin line with its name, where it lies within the chart. */
  thresholds?: readonly { readonly x: number; readonly label: string }[]
  height?: number
  /** Staircase instead of straight pieces. */
  steps?: boolean
  /** Names in a row above instead of at the ends of the lines: for lines that all end in one place. */
  keyed?: boolean
}

/** Lines with their names at their ends; scales are shared, logarithmic across beyond a decade unless said otherwise. */
export function LinesChart(props: LinesProps) {
  const page = usePage()
  const lines = props.lines.filter((line) => line.points.length > 0)
  if (lines.length === 0) return <p class="unknown">nothing was measured</p>
  const names = variantLabels(lines, props.keyed ? 36 : 18)
  const right = props.keyed ? 16 : Math.min(140, Math.max(...names.map((name) => textWidth(name))) + 16)
  const dash = (variant: string) => `d${(page.positions.get(variant) ?? 0) % dashes}`
  const share = shareOf(lines, props)
  const together = coincident(lines.map(({ variant, points }) => ({ variant, points: points.map(share) })))
  const remarks = (props.remarks ?? []).filter(
    ({ of = [] }) => of.length === 0 || !together.some((names) => of.every((name) => names.includes(name))),
  )
  const chart = (
    <Chart
      name={props.name}
      label={props.label}
      height={props.height ?? 300}
      above={(width) => (props.keyed ? keyRows(names, width).height : 0)}
      margin={{ right, left: 60, top: 22 }}
    >
      {(plot) => {
        const values = (along: "x" | "y") => lines.flatMap((line) => line.points.map((point) => point[along]))
        const sx = axisScale(values("x"), { ...axisOptions(props.x), range: [0, plot.width] })
        const sy = axisScale(values("y"), { ...axisOptions(props.y), range: [plot.height, 0] })
        const ends = lines.map((line) => sy(line.points.at(-1)?.y ?? 0))
        const places = spread(ends, 14, plot.height)
        const remarkPlaces = spread(
          remarks.map((remark) => sy(remark.y) - 10),
          15,
          plot.height - 4,
        )
        return (
          <>
            {props.keyed &&
              keyRows(names, plot.left + plot.width + plot.right).places.map((point, index) => {
                const variant = lines[index]?.variant ?? ""
                return (
                  <g
                    key={variant}
                    class={colourClass(page, variant)}
                    transform={`translate(${point.x - plot.left} ${point.y - plot.top})`}
                  >
                    <path class={`line ${dash(variant)}`} d="M0 0H28" />
                    <text x={34} dy="0.35em">
                      {names[index]}
                    </text>
                  </g>
                )
              })}
            <AxisX scale={sx} plot={plot} title={props.x.title} />
            <AxisY scale={sy} plot={plot} title={props.y.title} />
            {(props.thresholds ?? []).map(({ x, label }, index) => {
              const at = round(sx(x))
              if (!(at > 0 && at < plot.width)) return null
              const [width, y] = [textWidth(label) + 4, plot.height - 6 - 15 * index]
              const side = at + width <= plot.width ? "start" : at >= width ? "end" : null
              return (
                <g key={label} class="threshold">
                  <title>{label}</title>
                  <path d={`M${at} 0V${plot.height}`} />
                  {side && (
                    <text x={at + (side === "start" ? 4 : -4)} y={y} text-anchor={side}>
                      {label}
                    </text>
                  )}
                </g>
              )
            })}
            {lines.map((line) => (
              <path
                key={line.variant}
                class={`line ${colourClass(page, line.variant)} ${dash(line.variant)}`}
                d={line.points
                  .map(({ x, y }, index) => {
                    const point = `${round(sx(x))} ${round(sy(y))}`
                    if (index === 0) return `M${point}`
                    return props.steps ? `H${round(sx(x))}V${round(sy(y))}` : `L${point}`
                  })
                  .join("")}
              />
            ))}
            {lines.map((line, index) => {
              if (props.keyed) return null
              const end = line.points.at(-1)
              const x = Math.min(plot.width, sx(end?.x ?? 0))
              return (
                <g key={line.variant} class={colourClass(page, line.variant)}>
                  <path
                    class="lead"
                    d={`M${round(x)} ${round(ends[index] ?? 0)}L${plot.width + 6} ${round(places[index] ?? 0)}`}
                  />
                  <text class="label" x={plot.width + 10} y={round(places[index] ?? 0)} dy="0.35em">
                    {names[index]}
                  </text>
                </g>
              )
            })}
            {remarks.map((remark, index) => (
              <g key={remark.text} class="remark">
                <title>{remark.text}</title>
                <circle cx={round(sx(remark.x))} cy={round(sy(remark.y))} r={4} />
                <text x={round(sx(remark.x))} y={round(remarkPlaces[index] ?? 0)} text-anchor="middle">
                  {index + 1}
                </text>
              </g>
            ))}
          </>
        )
      }}
    </Chart>
  )
  if (together.length + remarks.length === 0) return chart
  return (
    <>
      {chart}
      {remarks.length > 0 && (
        <ol class="note remarks">
          {remarks.map(({ text }) => (
            <li key={text}>
              <Foreign text={text} limit={200} />
            </li>
          ))}
        </ol>
      )}
      {together.map((names) => (
        <p key={names.join()} class="note coincident">
          <Foreign text={coincidentWords(names)} limit={600} />
        </p>
      ))}
    </>
  )
}

function axisOptions({ unit, zero, logarithmic }: LinesAxis) {
  return { unit, zero, logarithmic }
}

/** Strokes of the style sheet that tell lines apart without their colour. */
const dashes = 6

/** Where the names of a key stand, in rows that fit a width, and how high they are together. */
function keyRows(names: readonly string[], width: number): { places: { x: number; y: number }[]; height: number } {
  const rowHeight = 20
  let [x, y] = [0, 10]
  const places = names.map((name) => {
    const size = 34 + textWidth(name) + 22
    if (x > 0 && x + size > width) {
      x = 0
      y += rowHeight
    }
    const point = { x, y }
    x += size
    return point
  })
  return { places, height: y + rowHeight - 4 }
}

/** Moves labels apart until none is closer than `gap` to the next, in their order. */
export function spread(positions: readonly number[], gap: number, limit: number): number[] {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] as number) - (positions[b] as number))
  const placed = [...positions]
  let last = Number.NEGATIVE_INFINITY
  for (const index of order) {
    placed[index] = Math.max(positions[index] as number, last + gap)
    last = placed[index] as number
  }
  const overflow = last - limit
  if (overflow > 0) {
    let next = limit
    for (const index of order.toReversed()) {
      placed[index] = Math.min(placed[index] as number, next)
      next = (placed[index] as number) - gap
    }
  }
  return placed
}
