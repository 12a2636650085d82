import { useRef } from "preact/hooks"
import type { VariantColumn } from "../../export/columns.ts"
import { percent, quantity } from "../../format/quantity.ts"
import { plainText } from "../../format/text.ts"
import { colourClass, usePage } from "../context.tsx"
import type { FrontierDraws } from "../sections/frontier/frontier-draws.ts"
import { type Limits, type ShownPoint, stepLine } from "../sections/frontier/frontier-model.ts"
import { AxisX, AxisY, Chart, type Plot } from "./frame.tsx"
import { placeLabels } from "./labels.ts"
import { Mark, round } from "./mark.tsx"
import { type AxisScale, axisScale } from "./scale.ts"

/** A router's curve on the shown axes. */
export type RouterLine = readonly { readonly x: number; readonly y: number }[]

/** The scatter of the frontier: whiskers, labels at the points, the step line and its band, limits, cascades. */
export function FrontierChart(props: {
  x: VariantColumn
  y: VariantColumn
  points: readonly ShownPoint[]
  limits: Limits
  draws: FrontierDraws | null
  routers: readonly RouterLine[]
  onLimit: (axis: "x" | "y", value: number | null) => void
}) {
  const { x, y, points, limits, draws, routers, onLimit } = props
  const label = `Frontier of ${y.title} against ${x.title}: ${points
    .map(
      (point) =>
        `${plainText(point.variant, 60)} at ${quantity(point.y, y.unit)} and ${quantity(point.x, x.unit)}${point.onFrontier ? ", on the frontier" : ""}`,
    )
    .join("; ")}`
  const names = points.map((point) => {
    const share = draws?.membership.get(point.variant)
    return `${plainText(point.variant, 28)}${share === undefined ? "" : ` ${percent(Math.round(share * 100) / 100)}`}`
  })
  return (
    <Chart name="frontier" interactive label={label} height={420} margin={{ left: 60, right: 30, top: 22 }}>
      {(plot) => {
        const xs = [
          ...points.flatMap((point) => [point.x, ...(point.xInterval ?? [])]),
          ...routers.flatMap((line) => line.map((one) => one.x)),
        ]
        const ys = [
          ...points.flatMap((point) => [point.y, ...(point.yInterval ?? [])]),
          ...routers.flatMap((line) => line.map((one) => one.y)),
        ]
        const sx = axisScale(xs, { range: [0, plot.width], unit: x.unit })
        const sy = axisScale(ys, { range: [plot.height, 0], unit: y.unit })
        const labels = placeLabels(
          points.map((point, index) => ({ x: sx(point.x), y: sy(point.y), text: names[index] ?? "" })),
          plot.width,
          plot.height,
        )
        return (
          <>
            <Shade axis="x" scale={sx} limit={limits.x} goal={x.goal} plot={plot} />
            <Shade axis="y" scale={sy} limit={limits.y} goal={y.goal} plot={plot} />
            <AxisX scale={sx} plot={plot} title={x.title} />
            <AxisY scale={sy} plot={plot} title={y.title} />
            {draws && <path class="band" d={bandPath(draws, sx, sy, plot)} />}
            {routers.map((line, index) => {
              const [only] = line
              return only && line.length === 1 ? (
                <circle key={index} class="router" cx={round(sx(only.x))} cy={round(sy(only.y))} r={6} />
              ) : (
                <path key={index} class="router" d={path(line, sx, sy)} />
              )
            })}
            <path class="step" d={path(stepLine(points), sx, sy)} />
            {points.map((point) => (
              <Whiskers key={point.variant} point={point} sx={sx} sy={sy} />
            ))}
            {points.map((point, index) => {
              const place = labels[index]
              return (
                <g key={point.variant} class={point.onFrontier ? "point" : "point quiet"}>
                  <Mark variant={point.variant} x={sx(point.x)} y={sy(point.y)} hollow={!point.onFrontier} size={7} />
                  {place && (
                    <text class="label" x={round(place.x)} y={round(place.y)} dy="0.35em" text-anchor={place.anchor}>
                      {names[index]}
                    </text>
                  )}
                  <title>{`${plainText(point.variant)}: ${quantity(point.y, y.unit)}, ${quantity(point.x, x.unit)}`}</title>
                </g>
              )
            })}
            <LimitHandle axis="x" column={x} scale={sx} limit={limits.x} plot={plot} onLimit={onLimit} />
            <LimitHandle axis="y" column={y} scale={sy} limit={limits.y} plot={plot} onLimit={onLimit} />
          </>
        )
      }}
    </Chart>
  )
}

function Whiskers({ point, sx, sy }: { point: ShownPoint; sx: AxisScale; sy: AxisScale }) {
  const page = usePage()
  const [x, y] = [sx(point.x), sy(point.y)]
  return (
    <g class={`whisker ${colourClass(page, point.variant)} ${point.onFrontier ? "" : "quiet"}`}>
      {point.yInterval && (
        <line x1={round(x)} x2={round(x)} y1={round(sy(point.yInterval[0]))} y2={round(sy(point.yInterval[1]))} />
      )}
      {point.xInterval && (
        <line x1={round(sx(point.xInterval[0]))} x2={round(sx(point.xInterval[1]))} y1={round(y)} y2={round(y)} />
      )}
    </g>
  )
}

function Shade(props: {
  axis: "x" | "y"
  scale: AxisScale
  limit: number | null
  goal: "maximize" | "minimize"
  plot: Plot
}) {
  const { axis, scale, limit, goal, plot } = props
  if (limit === null) return null
  const at = clamp(scale(limit), 0, axis === "x" ? plot.width : plot.height)
  if (axis === "x") {
    const from = goal === "minimize" ? at : 0
    return (
      <rect
        class="excluded"
        x={round(from)}
        width={round(goal === "minimize" ? plot.width - at : at)}
        height={plot.height}
      />
    )
  }
  const from = goal === "maximize" ? at : 0
  return (
    <rect
      class="excluded"
      y={round(from)}
      height={round(goal === "maximize" ? plot.height - at : at)}
      width={plot.width}
    />
  )
}

/** A line that can be dragged, or moved by the arrow keys: the limit that a reader sets on an axis. */
function LimitHandle(props: {
  axis: "x" | "y"
  column: VariantColumn
  scale: AxisScale
  limit: number | null
  plot: Plot
  onLimit: (axis: "x" | "y", value: number | null) => void
}) {
  const { axis, column, scale, limit, plot, onLimit } = props
  const ref = useRef<SVGGElement>(null)
  const length = axis === "x" ? plot.width : plot.height
  // Without a limit the handle waits where it excludes nothing.
  const rest = (axis === "x") === (column.goal === "minimize") ? length : 0
  const at = limit === null ? rest : clamp(scale(limit), 0, length)
  const set = (position: number) => {
    const bounded = clamp(position, 0, length)
    onLimit(axis, Math.abs(bounded - rest) < 4 ? null : Number(scale.invert(bounded).toPrecision(3)))
  }
  const drag = (event: PointerEvent) => {
    const svg = ref.current?.ownerSVGElement
    if (!svg || !(event.buttons & 1)) return
    const box = svg.getBoundingClientRect()
    set(axis === "x" ? event.clientX - box.left - plot.left : event.clientY - box.top - plot.top)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowDown: axis === "x" ? -1 : 1, ArrowRight: 1, ArrowUp: axis === "x" ? 1 : -1 }[
      event.key
    ]
    if (event.key === "Escape" || event.key === "Delete") onLimit(axis, null)
    else if (step !== undefined) set(at + step * (event.shiftKey ? 40 : 8))
    else return
    event.preventDefault()
  }
  const word = column.goal === "minimize" ? "at most" : "at least"
  const text = limit === null ? `${column.title}: no limit` : `${column.title} ${word} ${quantity(limit, column.unit)}`
  const line = axis === "x" ? { x1: at, x2: at, y1: 0, y2: plot.height } : { x1: 0, x2: plot.width, y1: at, y2: at }
  return (
    <g
      ref={ref}
      class={`limit ${axis} ${limit === null ? "idle" : ""}`}
      role="slider"
      tabIndex={0}
      aria-label={`limit of ${column.title}`}
      aria-valuemin={scale.domain[0]}
      aria-valuemax={scale.domain[1]}
      aria-valuenow={limit ?? scale.invert(rest)}
      aria-valuetext={text}
      onKeyDown={onKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    >
      <line class="grip" {...line} />
      <line class="rule" {...line} />
      {limit !== null && (
        <text
          x={axis === "x" ? at : plot.width}
          y={axis === "x" ? -8 : at - 6}
          text-anchor={axis === "x" && at < plot.width / 2 ? "start" : "end"}
        >
          {text}
        </text>
      )}
    </g>
  )
}

/** The band as an area: the upper edge from left to right, the lower one back. */
function bandPath(draws: FrontierDraws, sx: AxisScale, sy: AxisScale, plot: Plot): string {
  const edge = Array.from({ length: Math.floor(plot.width / 4) + 1 }, (_, step) => step * 4).flatMap((at) => {
    const band = draws.band(sx.invert(at))
    if (!band) return []
    const [low, high] = [clamp(sy(band.low), 0, plot.height), clamp(sy(band.high), 0, plot.height)]
    return [{ at, low, high }]
  })
  if (edge.length < 2) return ""
  const upper = edge.map(({ at, high }) => `${at} ${round(high)}`)
  const lower = edge.toReversed().map(({ at, low }) => `${at} ${round(low)}`)
  return `M${[...upper, ...lower].join("L")}Z`
}

function path(points: readonly { readonly x: number; readonly y: number }[], sx: AxisScale, sy: AxisScale): string {
  return points.map((point, index) => `${index === 0 ? "M" : "L"}${round(sx(point.x))} ${round(sy(point.y))}`).join("")
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
