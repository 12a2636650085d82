import { useRef } from "preact/hooks"
import { quantity } from "../../../src/words/quantity.ts"
import type { VariantColumn } from "../../view-model/variant-columns.ts"
import type { Plot } from "./frame.tsx"
import { clamp, round } from "./mark.tsx"
import type { AxisScale } from "./scale.ts"

/** What a limit excludes, as a shade. */
export function Shade(props: {
  axis: "x" | "y"
  scale: AxisScale
  limit: number | null
  goal: "maximize" | "minimize"
  plot: Plot
}) {
  const { axis, scale, limit, goal, plot } = props
  if (limit === null) return null
  const length = axis === "x" ? plot.width : plot.height
  const at = clamp(scale(limit), 0, length)
  const isAfter = (axis === "x") === (goal === "minimize")
  const [from, size] = [round(isAfter ? at : 0), round(isAfter ? length - at : at)]
  return axis === "x" ? (
    <rect class="excluded" x={from} width={size} height={plot.height} />
  ) : (
    <rect class="excluded" y={from} height={size} width={plot.width} />
  )
}

/** A line that can be dragged, or moved by the arrow keys: the limit that a reader sets on an axis. */
export function LimitHandle(props: {
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
