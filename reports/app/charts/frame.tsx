import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { useWord } from "../words.tsx"
import { textWidth } from "./labels.ts"
import { round } from "./mark.tsx"
import type { AxisScale } from "./scale.ts"

/** Space around the plot. */
export interface Margin {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

/** The plot's size and where it begins. */
export interface Plot extends Margin {
  readonly width: number
  readonly height: number
}

/** Width before the browser has said how wide it is, and in files without a browser. */
const firstWidth = 760

/** Width of a sheet of A4 within the margins that print.css gives it: a wider chart would be shrunk, and its words with it. */
const paperWidth = 688

/** A chart that fills the width of its column; children draw into the plot. The label says what a reader would see. */
export function Chart(props: {
  label: string
  height: number
  margin?: Partial<Margin>
  /** Height of what the chart needs above its plot at a width, such as a key of several rows. */
  above?: (width: number) => number
  name: string
  /** Set where parts of the chart can be moved: then it is a group, not a picture. */
  interactive?: boolean
  /** Fixed, for pages without scripts; absent: the width of the column. */
  width?: number
  children: (plot: Plot) => ComponentChildren
}) {
  const ref = useRef<HTMLElement>(null)
  const [measured, setWidth] = useState(firstWidth)
  const width = props.width ?? measured
  useEffect(() => {
    const element = ref.current
    if (!element || props.width !== undefined) return
    const measure = () => setWidth(Math.max(260, Math.round(element.clientWidth)))
    const observer = new ResizeObserver(measure)
    const fitPaper = () => setWidth((screen) => Math.min(screen, paperWidth))
    observer.observe(element)
    measure()
    addEventListener("beforeprint", fitPaper)
    addEventListener("afterprint", measure)
    return () => {
      observer.disconnect()
      removeEventListener("beforeprint", fitPaper)
      removeEventListener("afterprint", measure)
    }
  }, [props.width])
  const above = props.above?.(width) ?? 0
  const height = props.height + above
  const sides = { top: 16, right: 16, bottom: 44, left: 56, ...props.margin }
  const margin = { ...sides, top: sides.top + above }
  const plot = {
    ...margin,
    width: width - margin.left - margin.right,
    height: height - margin.top - margin.bottom,
  }
  return (
    <figure class="chart" ref={ref} data-chart={props.name}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role={props.interactive ? "group" : "img"}
        aria-label={props.label}
      >
        <g transform={`translate(${margin.left} ${margin.top})`}>{props.children(plot)}</g>
      </svg>
    </figure>
  )
}

/** The horizontal axis with its ticks, at the foot of the plot. */
export function AxisX(props: { scale: AxisScale; plot: Plot; title: string; ticks?: AxisScale["ticks"] }) {
  const { scale, plot } = props
  return (
    <g class="axis" transform={`translate(0 ${plot.height})`}>
      <line x1={0} x2={plot.width} y1={0} y2={0} />
      {(props.ticks ?? thinned(scale, plot.width, roomOf(scale))).map(({ value, label }) => (
        <g key={value} transform={`translate(${round(scale(value))} 0)`}>
          <line class="grid" y1={-plot.height} y2={0} />
          <text x={round(-overhang(scale(value), label, plot))} y={18} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
      <AxisTitle title={props.title} x={plot.width} y={38} anchor="end">
        {`${props.title}${scale.logarithmic ? " (log)" : ""} \u2192`}
      </AxisTitle>
    </g>
  )
}

/** What an axis shows, explained where the page explains it. */
function AxisTitle(props: { title: string; x: number; y: number; anchor?: "end"; children: string }) {
  const word = useWord(props.title)
  return (
    <text class="title" x={props.x} y={props.y} text-anchor={props.anchor} data-word={word?.anchor}>
      {props.children}
      {word?.text !== undefined && <title>{word.text}</title>}
    </text>
  )
}

/** Pixels by which a label that is centred at a place reaches over the right edge of the picture. */
function overhang(at: number, label: string, plot: Plot): number {
  return Math.max(0, at + textWidth(label) / 2 - plot.width - plot.right)
}

/** The vertical axis with its ticks, at the left of the plot; its title stands clear of a tick at the very top. */
export function AxisY(props: { scale: AxisScale; plot: Plot; title: string }) {
  const { scale, plot } = props
  return (
    <g class="axis">
      {thinned(scale, plot.height, 26).map(({ value, label }) => (
        <g key={value} transform={`translate(0 ${round(scale(value))})`}>
          <line class="grid" x1={0} x2={plot.width} />
          <text x={-8} dy="0.35em" text-anchor="end">
            {label}
          </text>
        </g>
      ))}
      <AxisTitle title={props.title} x={-plot.left + 2} y={-9}>
        {`${props.title}${scale.logarithmic ? " (log)" : ""} \u2191`}
      </AxisTitle>
    </g>
  )
}

/** Pixels that the widest label of a horizontal axis needs. */
function roomOf(scale: AxisScale): number {
  return Math.max(58, ...scale.ticks.map(({ label }) => textWidth(label) + 8))
}

/** As many ticks as have room. */
function thinned(scale: AxisScale, length: number, room: number): AxisScale["ticks"] {
  const step = Math.max(1, Math.ceil((scale.ticks.length * room) / Math.max(room, length)))
  return scale.ticks.filter((_, index) => index % step === 0)
}
