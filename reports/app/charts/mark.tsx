import { colourClass, shapeOf, usePage } from "../context.tsx"

/** The mark of a variant at a place of a chart: colour is the variant, shape the model, hollow is dominated. */
export function Mark(props: { variant: string; x: number; y: number; hollow?: boolean; size?: number }) {
  const page = usePage()
  const { variant, x, y, hollow = false, size = 6 } = props
  return (
    <path
      class={`mark ${colourClass(page, variant)} ${hollow ? "hollow" : ""}`}
      d={shapePath(shapeOf(page, variant), size)}
      transform={`translate(${round(x)} ${round(y)})`}
    />
  )
}

/** The mark of a variant inside a line of text. */
export function InlineMark(props: { variant: string; hollow?: boolean }) {
  return (
    <svg class="inline-mark" width="14" height="14" viewBox="-8 -8 16 16" aria-hidden="true">
      <Mark variant={props.variant} x={0} y={0} hollow={props.hollow ?? false} />
    </svg>
  )
}

/** An interval that stands upright at a place of a chart; nothing without both ends. */
export function Whisker(props: {
  x: number
  low: number | null | undefined
  high: number | null | undefined
  at: (value: number) => number
  class?: string
}) {
  const { x, low, high, at } = props
  if (low == null || high == null) return null
  return (
    <g class={`whisker${props.class ? ` ${props.class}` : ""}`}>
      <line x1={round(x)} x2={round(x)} y1={round(at(low))} y2={round(at(high))} />
    </g>
  )
}

/** Straight pieces from place to place. */
export function linePath(places: readonly (readonly [x: number, y: number])[]): string {
  return places.map(([x, y], i) => `${i === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("")
}

/** A value between two ends. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** Coordinates with one decimal: enough for the eye, and the file stays small. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}

function shapePath(shape: number, r: number): string {
  switch (shape) {
    case 1:
      return `M${-r} ${-r}H${r}V${r}H${-r}Z`
    case 2:
      return `M0 ${-r * 1.2}L${r * 1.1} ${r * 0.8}H${-r * 1.1}Z`
    case 3:
      return `M0 ${-r * 1.3}L${r * 1.3} 0L0 ${r * 1.3}L${-r * 1.3} 0Z`
    default:
      return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`
  }
}
