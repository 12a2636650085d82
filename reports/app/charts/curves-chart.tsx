import { count, significant } from "../../../src/words/number.ts"
import { tied } from "../parts.tsx"
import { Heading } from "../words.tsx"
import { coincident, coincidentWords, shareOf } from "./coincident.ts"
import { type Curve, type CurvesFigure, type CurvesFrame, pointsOf, textsOf } from "./curves.ts"
import { AxisX, AxisY, Chart, type Plot } from "./frame.tsx"
import { linePath, round, Whisker } from "./mark.tsx"
import { type AxisScale, axisScale, doublingScale, ticksWithRoom } from "./scale.ts"

/**
 * Curves with their intervals, objectives and remarks, drawn without scripts: once for each width at which they are shown.
 * Nothing, when no curve has two points.
 */
export function CurvesChart({ figure }: { figure: CurvesFigure }) {
  const drawn = figure.series.filter(({ points }) => points.length > 1)
  if (drawn.length === 0) return null
  return (
    <div class={`curves ${figure.wide ? "wide" : "narrow"}`}>
      <p class="curves-title">
        <Heading title={figure.title} place="bench" />
      </p>
      <p class="note">{tied(figure.note)}</p>
      <ul class="keys">
        {drawn.map((curve) => (
          <li key={curve.name}>
            <i class={`${colourOf(curve)} ${curve.dashed ? "dashed" : ""}`} />
            <span>{curve.name}</span>
          </li>
        ))}
        {figure.band && (
          <li>
            <i class="band" />
            <span>{figure.band.label}</span>
          </li>
        )}
      </ul>
      {figure.wide && (
        <div class="desk">
          <Picture figure={figure} drawn={drawn} width={widths.desk} />
        </div>
      )}
      <div class="phone">
        <Picture figure={figure} drawn={drawn} width={widths.phone} />
      </div>
      {together(figure, drawn).map((names) => (
        <p key={names.join()} class="note coincident">
          {coincidentWords(names)}
        </p>
      ))}
    </div>
  )
}

/** Names of the curves that nobody can tell apart, in groups. */
function together(figure: CurvesFigure, drawn: readonly Curve[]): readonly (readonly string[])[] {
  const lines = drawn.map(({ name, points }) => ({ variant: name, points }))
  const share = shareOf(lines, {
    x: { title: figure.xLabel, unit: null, logarithmic: figure.xScale === "doubling" },
    y: { title: figure.yLabel, unit: null, zero: true, logarithmic: figure.yScale === "logarithmic" },
  })
  return coincident(lines.map(({ variant, points }) => ({ variant, points: points.map(share) })))
}

function Picture({ figure, drawn, width }: { figure: CurvesFigure; drawn: readonly Curve[]; width: number }) {
  return (
    <Chart
      name="curves"
      label={figure.title}
      height={270}
      width={width}
      margin={{ left: 50, right: 18, top: 22, bottom: 44 }}
    >
      {(plot) => {
        const [sx, sy] = scalesOf(figure, drawn, plot)
        const frame = frameOf(figure, plot, sx, sy)
        return (
          <>
            <AxisX scale={sx} plot={plot} title={figure.xLabel} ticks={ticksWithRoom(sx)} />
            <AxisY scale={sy} plot={plot} title={figure.yLabel} />
            <Band figure={figure} frame={frame} />
            {frame.objectives.map((line) => (
              <line
                key={line.label}
                class="objective"
                x2={plot.width}
                y1={round(frame.y(line.y))}
                y2={round(frame.y(line.y))}
              />
            ))}
            {figure.verticals?.map((line) => (
              <line key={line.label} class="knee" x1={round(sx(line.x))} x2={round(sx(line.x))} y2={plot.height} />
            ))}
            {drawn.map((curve) => (
              <CurveLine key={curve.name} curve={curve} figure={figure} frame={frame} />
            ))}
            {textsOf(figure, drawn, frame).map(({ text, x, y, anchor, kind }) => (
              <text key={`${text} ${x} ${y}`} class={`on-plot ${kind}`} x={round(x)} y={round(y)} text-anchor={anchor}>
                {text}
              </text>
            ))}
          </>
        )
      }}
    </Chart>
  )
}

/** The scales: across from zero or by doublings, upwards from zero or, where asked for, by decades. */
function scalesOf(figure: CurvesFigure, drawn: readonly Curve[], plot: Plot): [AxisScale, AxisScale] {
  const { xScale, yScale, horizontals = [], yMax } = figure
  const points = drawn.flatMap((curve) => curve.points)
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  // An interval that reaches far beyond its value would flatten the lines: it is drawn to the edge.
  const largest = points.reduce((max, { y, high }) => Math.max(max, y, Math.min(high ?? 0, y * 2)), 0)
  // So would an objective far above what was measured.
  const near = horizontals.map(({ y }) => y).filter((y) => y <= largest * 3)
  const least = Math.min(...ys)
  const isLogarithmic = yScale === "logarithmic" && least > 0 && Math.max(largest, ...near) / least > 10
  const across = { range: [0, plot.width], unit: null, zero: true, logarithmic: false } as const
  return [
    xScale === "doubling" ? doublingScale(xs, across.range) : axisScale(xs, wholeTicks(xs, across)),
    axisScale(yMax === undefined ? [...ys, largest, ...near] : [0, yMax], {
      range: [plot.height, 0],
      unit: null,
      zero: !isLogarithmic,
    }),
  ]
}

/** Counts have no ticks between them. */
function wholeTicks<Options extends object>(values: readonly number[], options: Options): Options & { ticks?: number } {
  const isCounted = values.every(Number.isInteger)
  return isCounted ? { ...options, ticks: Math.min(5, Math.max(1, ...values)) } : options
}

function frameOf(figure: CurvesFigure, plot: Plot, sx: AxisScale, sy: AxisScale): CurvesFrame {
  const [bottom, top] = sy.domain
  return {
    right: plot.width,
    floor: plot.height,
    objectives: (figure.horizontals ?? []).filter(({ y }) => y <= top),
    x: (value) => sx(value),
    y: (value) => sy(Math.min(top, Math.max(bottom, value))),
  }
}

function Band({ figure: { band }, frame: { x, y } }: { figure: CurvesFigure; frame: CurvesFrame }) {
  if (!band) return null
  const edge = (pick: (point: readonly [number, number, number]) => number) =>
    band.points.map((point) => `${round(x(point[0]))},${round(y(pick(point)))}`)
  const outline = [...edge(([, low]) => low), ...edge(([, , high]) => high).reverse()]
  return <polygon class="band" points={outline.join(" ")} />
}

function CurveLine({ curve, figure, frame }: { curve: Curve; figure: CurvesFigure; frame: CurvesFrame }) {
  const { name, points, dashed } = curve
  const places = pointsOf(curve, frame)
  return (
    <g class={colourOf(curve)}>
      <path class={`line ${dashed ? "d1" : "d0"}`} d={linePath(places)} />
      {points.length <= maxDots &&
        points.map((point, i) => {
          const [x, y] = places[i] as readonly [number, number]
          return (
            <g key={point.x}>
              <Whisker x={x} low={point.low} high={point.high} at={frame.y} />
              <circle class="dot" cx={round(x)} cy={round(y)} r={3.2}>
                <title>{`${name}: ${significant(point.y)} ${labelFor(point.y, figure.yLabel)} at ${numberWords(point.x)} ${labelFor(point.x, figure.xLabel)}`}</title>
              </circle>
            </g>
          )
        })}
    </g>
  )
}

function colourOf({ color }: Curve): string {
  return `v${1 + (color % colours)}`
}

function numberWords(value: number): string {
  return Number.isInteger(value) ? count(value) : significant(value, 2)
}

/** Drawn about as wide as it is shown, so that its texts keep their size. */
const widths = { phone: 360, desk: 800 } as const
const maxDots = 40
/** Colours of the style sheet beside the ink of a baseline, which a load test has none of. */
const colours = 7

/** What an axis counts, of one: `request in flight`. */
function labelFor(value: number, label: string): string {
  return value === 1 ? label.replace(/^(\w+[^s\W])s\b/, "$1") : label
}
